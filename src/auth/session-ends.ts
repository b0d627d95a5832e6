// Which sessions end, and which must be young, by what a user does: better-auth by itself leaves the
// old ones alive. [contract 17]
import { APIError, type BetterAuthPlugin } from 'better-auth';
import { getSessionFromCtx, isAPIError } from 'better-auth/api';
import { type Asked, hook, isHalfWay } from './around.ts';
import { PASSKEY_ADDITIONS } from './passkeys.ts';

export const PASSWORD_CHANGE = '/change-password';

/** How long after a sign-in an account can be deleted without its password, or get another way in. */
const FRESH_MS = 15 * 60_000;

/** The last of the plugins: others look at the session with which a user came. */
export function sessionEnds(): BetterAuthPlugin {
  return {
    id: 'session-ends',
    hooks: {
      before: [
        hook(needPasswordOrFreshSignIn, '/delete-user'),
        hook(needFreshSignIn, ...PASSKEY_ADDITIONS),
      ],
      after: [hook(endLateOthers, PASSWORD_CHANGE), hook(endReplaced)],
    },
  };
}

async function needPasswordOrFreshSignIn(asked: Asked): Promise<void> {
  if (!asked.body?.password) await needFreshSignIn(asked);
}

/** better-auth's own limit holds for listing one's devices as well, and so is off. */
async function needFreshSignIn(asked: Asked): Promise<void> {
  const found = await getSessionFromCtx(asked, { disableRefresh: true });
  // A guest has nothing to sign in with again.
  if (!found || found.user.isAnonymous) return;
  if (Date.now() - new Date(found.session.createdAt).getTime() < FRESH_MS) return;
  throw new APIError('BAD_REQUEST', {
    code: 'SESSION_EXPIRED',
    message: 'Session expired. Re-authenticate to perform this action.',
  });
}

/** A change of password ends all other sessions, asked for or not. */
async function endLateOthers(asked: Asked): Promise<void> {
  if (!isAPIError(asked.context.returned)) await endOthers(asked);
}

/**
 * Called before the new password is written too, so that no crash leaves them alive; afterwards there
 * may be those of sign-ins with the old one that were under way.
 */
export async function endOthers({ context }: Asked): Promise<void> {
  const { internalAdapter, newSession, session } = context;
  if (!session) return;
  const { token: kept } = (newSession ?? session).session;
  const sessions = await internalAdapter.listSessions(session.user.id);
  for (const { token } of sessions) if (token !== kept) await internalAdapter.deleteSession(token);
}

/** A sign-in ends the session that its cookie names, whosever it was; half-way the cookie goes already. */
async function endReplaced(asked: Asked): Promise<void> {
  const { authCookies, internalAdapter, newSession, returned, secret } = asked.context;
  if (!newSession && !isHalfWay(returned)) return;
  const token = await asked.getSignedCookie(authCookies.sessionToken.name, secret);
  if (token && token !== newSession?.session.token) await internalAdapter.deleteSession(token);
}
