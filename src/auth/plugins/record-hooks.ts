// Changes records before better-auth writes them, whichever operation they come from. [contract 17]
import type { BetterAuthOptions } from 'better-auth';
import { BUDGETS } from '../../budgets.ts';
import type { RemoveTrust } from '../device-trust.ts';
import { isUserImage } from '../input/user-profile.ts';
import { endOthers, PASSWORD_CHANGE } from '../sessions/session-ends.ts';

/** The longest life of a session, however often it is renewed, s. */
export const SESSION_MAX_SECONDS = BUDGETS.sessionLife.max * 24 * 3600;

export const recordHooks = (forget: RemoveTrust): NonNullable<BetterAuthOptions['databaseHooks']> => ({
  user: {
    create: {
      // Only a provider can bring an invalid one here; the service's own requests with it are refused earlier.
      before: async ({ image }) => {
        if (!isUserImage(image ?? null)) return { data: { image: null } };
      },
    },
  },
  session: {
    create: {
      before: async ({ userAgent }) => ({ data: { userAgent: userAgent?.slice(0, BUDGETS.userAgent.max) ?? null } }),
    },
    update: {
      before: async ({ expiresAt }, context) => {
        const signedInAt = context?.context.session?.session.createdAt;
        if (!expiresAt || !signedInAt) return;
        const latestMs = new Date(signedInAt).getTime() + SESSION_MAX_SECONDS * 1000;
        return { data: { expiresAt: new Date(Math.min(expiresAt.getTime(), latestMs)) } };
      },
    },
  },
  account: {
    create: { before: dropIdToken },
    update: {
      before: async (account, asked) => {
        if (account.password && asked?.path === PASSWORD_CHANGE) await endOthers(asked, forget);
        return dropIdToken(account);
      },
    },
  },
});

/** Drops a provider's tokens: nothing uses them again, and better-auth would store them unencrypted. */
async function dropIdToken({ idToken }: { idToken?: string | null | undefined }) {
  if (idToken) return { data: { idToken: null } };
}
