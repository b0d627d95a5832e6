// Who sends a request: the way past better-auth's router that every guarded request and every socket
// takes. One Redis read and no SQL, at an eighth of the CPU of better-auth's own check.
import { type Auth, RENEW_AFTER_SECONDS, SESSION_SECONDS } from './auth.ts';
import { SESSION_MAX_SECONDS } from './record-hooks.ts';
import type { SessionCache } from './session-cache.ts';
import { readSessionToken } from './session-cookie.ts';

/** The user of a valid session. */
export interface SessionUser {
  id: string;
  name: string;
  email: string;
  sessionId: string;
}

/** The part of a request's headers that matters here. */
export interface SessionHeaders {
  cookie?: string | undefined;
}

export interface UserSessions {
  /**
   * Looks without touching: the session's life is not extended.
   * @returns the signed-in user, or null without a valid session
   * @throws an outage when the stores can't be asked
   */
  findUser(headers: SessionHeaders): Promise<SessionUser | null>;
  /**
   * As `findUser`, and extends a session that was last extended a day ago.
   * @returns also the `set-cookie` lines that the answer must carry
   */
  findAndRenew(
    headers: SessionHeaders,
  ): Promise<{ user: SessionUser; setCookies: string[] } | null>;
}

interface Found {
  user: SessionUser;
  signedInAtMs: number;
  expiresAtMs: number;
}

export function createUserSessions(auth: Auth, cache: SessionCache): UserSessions {
  async function find(headers: SessionHeaders): Promise<Found | null> {
    const { authCookies, secret } = await auth.$context;
    const token = readSessionToken(headers.cookie, authCookies.sessionToken.name, secret);
    const json = token && (await cache.read(token));
    const found = json ? parse(json) : null;
    return found && found.expiresAtMs > Date.now() ? found : null;
  }

  async function renew(headers: SessionHeaders): Promise<string[]> {
    const { dontRememberToken } = (await auth.$context).authCookies;
    // Signed in for this visit alone: it ends with its day.
    if (headers.cookie?.includes(`${dontRememberToken.name}=`)) return [];
    try {
      const answer = await auth.api.getSession({
        headers: new Headers({ cookie: headers.cookie ?? '' }),
        returnHeaders: true,
      });
      return answer.headers.getSetCookie();
    } catch {
      // Away or signed out this moment: the next request finds out.
      return [];
    }
  }

  return {
    findUser: async (headers) => (await find(headers))?.user ?? null,
    async findAndRenew(headers) {
      const found = await find(headers);
      if (!found) return null;
      return { user: found.user, setCookies: isRenewalDue(found) ? await renew(headers) : [] };
    },
  };
}

function parse(json: string): Found {
  const { session, user } = JSON.parse(json);
  const { id, name, email } = user;
  return {
    user: { id, name, email, sessionId: session.id },
    signedInAtMs: Date.parse(session.createdAt),
    expiresAtMs: Date.parse(session.expiresAt),
  };
}

/** Not for what can't last any longer. */
function isRenewalDue({ expiresAtMs, signedInAtMs }: Found): boolean {
  const ageSeconds = SESSION_SECONDS - (expiresAtMs - Date.now()) / 1000;
  const isLast = expiresAtMs >= signedInAtMs + SESSION_MAX_SECONDS * 1000;
  return ageSeconds >= RENEW_AFTER_SECONDS && !isLast;
}
