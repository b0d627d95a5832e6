// Rules about sessions: which operations end a user's other sessions, which better-auth would keep, and which need a
// fresh sign-in; and what is changed of records before better-auth writes them, whoever asks for it. [contract 17]
import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import { BUDGETS } from '../../budgets.ts';
import type { RemoveTrust } from '../device-trust.ts';
import { isUserImage } from '../input/user-profile.ts';
import { type HookContext, hook, isHalfWay, refusal, sessionOf } from '../plugins/auth-hooks.ts';
import { PASSKEY_ADDITIONS } from '../plugins/passkeys.ts';

const DELETION = '/delete-user';
const PASSWORD_CHANGE = '/change-password';

/** How long a sign-in is fresh, ms. Without a password, deletion and new ways to sign in need a fresh one. */
const FRESH_MS = 15 * 60_000;

/** @returns the last of the plugins, since the others read the session that it may end */
export function sessionEnds(forget: RemoveTrust): BetterAuthPlugin {
  const before = [hook(needFreshSignIn, DELETION, ...PASSKEY_ADDITIONS)];
  const after = [hook((hookContext) => endOthers(hookContext, forget), PASSWORD_CHANGE), hook(endReplaced)];
  return { id: 'session-ends', hooks: { before, after } };
}

/** better-auth's own freshness limit is off, since it also applies to the list of devices. */
async function needFreshSignIn(hookContext: HookContext): Promise<void> {
  if (hookContext.path === DELETION && hookContext.body?.password) return;
  const found = await sessionOf(hookContext);
  // A guest can't sign in again, and so can't freshen the session.
  if (!found || found.user.isAnonymous) return;
  if (Date.now() - new Date(found.session.createdAt).getTime() < FRESH_MS) return;
  throw refusal('BAD_REQUEST', 'SESSION_EXPIRED', 'Session expired. Re-authenticate to perform this action.');
}

/**
 * Ends a user's other sessions and removes the trusted devices, whether a change of password asks for it or not. It runs
 * before the new password is written, so that a crash leaves no session alive, and again afterwards, for concurrent
 * sign-ins with the old password.
 */
async function endOthers({ context }: HookContext, forget: RemoveTrust): Promise<void> {
  const { internalAdapter, newSession, returned, session } = context;
  if (!session || isAPIError(returned)) return;
  await forget(session.user.id);
  const { token: kept } = (newSession ?? session).session;
  const sessions = await internalAdapter.listSessions(session.user.id);
  for (const { token } of sessions) if (token !== kept) await internalAdapter.deleteSession(token);
}

/** A sign-in ends the session of the request's cookie, whosever it is. A sign-in that awaits a code only clears the cookie. */
async function endReplaced(hookContext: HookContext): Promise<void> {
  const { authCookies, internalAdapter, newSession, returned, secret } = hookContext.context;
  if (!newSession && !isHalfWay(returned)) return;
  const token = await hookContext.getSignedCookie(authCookies.sessionToken.name, secret);
  if (token && token !== newSession?.session.token) await internalAdapter.deleteSession(token);
}

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
