// What becomes of a record before better-auth writes it, whichever way it comes from. [contract 17]
import type { BetterAuthOptions } from 'better-auth';
import { endOthers, PASSWORD_CHANGE } from './session-ends.ts';
import { isUserImage } from './user-image.ts';

/** A session ends so long after its sign-in at the latest, however often it is renewed. */
export const SESSION_MAX_SECONDS = 90 * 24 * 3600;

/** Read with every request of the session; what a browser really sends is about 120 long. */
const MAX_USER_AGENT_LENGTH = 300;

export const recordHooks: NonNullable<BetterAuthOptions['databaseHooks']> = {
  user: {
    create: {
      // From a provider: our own requests with an unfit one are refused.
      before: async ({ image }) => {
        if (!isUserImage(image ?? null)) return { data: { image: null } };
      },
    },
  },
  session: {
    create: {
      before: async ({ userAgent }) => ({
        data: { userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null },
      }),
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
        if (account.password && asked?.path === PASSWORD_CHANGE) await endOthers(asked);
        return dropIdToken(account);
      },
    },
  },
};

/** Nothing asks for a provider's identity token again, and better-auth would keep it in clear. */
async function dropIdToken({ idToken }: { idToken?: string | null | undefined }) {
  if (idToken) return { data: { idToken: null } };
}
