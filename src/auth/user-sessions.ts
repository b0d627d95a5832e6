// Who sends a request: the way past better-auth's router that every guarded request and every socket
// takes. One Redis read and no SQL; what a cookie stood for a moment ago is neither verified nor parsed
// again, only compared.
import { LRUCache } from 'lru-cache';
import type { Count } from '../http/limiter-store.ts';
import { type Auth, RENEW_AFTER_SECONDS, SESSION_SECONDS } from './auth.ts';
import { SESSION_MAX_SECONDS } from './record-hooks.ts';
import type { SessionCache, SessionCopy } from './session-cache.ts';
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
   * @param limiter which counts the request in the same step, where that is possible
   * @returns also the `set-cookie` lines that the answer must carry
   */
  findAndRenew(headers: SessionHeaders, limiter?: RequestCounter): Promise<Admitted | null>;
}

/** Names the counter of a user, and its window. */
export interface RequestCounter {
  keyOf(userId: string): string;
  windowMs: number;
}

/** Whose request it is. */
export interface Admitted {
  user: SessionUser;
  setCookies: string[];
  /** Missing when the request is still to be counted. */
  counted?: Count;
}

/** What a Cookie header stood for when it was last seen; whether it still does, Redis says. */
interface Known {
  token: string;
  copy: SessionCopy;
  session: Session;
}

interface Session {
  user: SessionUser;
  signedInAtMs: number;
  expiresAtMs: number;
}

/** About 1 kB each. */
const MAX_KNOWN = 10_000;
/** A longer header is nothing that a browser got from us; it is read anew each time. */
const MAX_HEADER_LENGTH = 1024;

export function createUserSessions(auth: Auth, cache: SessionCache): UserSessions {
  const known = new LRUCache<string, Known>({ max: MAX_KNOWN });

  async function find(
    { cookie = '' }: SessionHeaders,
    limiter?: RequestCounter,
  ): Promise<{ session: Session; counted?: Count } | null> {
    const before = known.get(cookie);
    const token = before?.token ?? (await tokenIn(cookie));
    if (!token) return null;
    const { copy, counted } =
      before && limiter
        ? await cache.readAndCount(token, before.copy, {
            key: limiter.keyOf(before.session.user.id),
            windowMs: limiter.windowMs,
          })
        : { copy: await cache.read(token) };
    const isKnown = before !== undefined && copy?.version === before.copy.version;
    const session = copy && (isKnown ? before.session : parse(copy.json));
    if (!session || session.expiresAtMs <= Date.now()) {
      known.delete(cookie);
      return null;
    }
    if (!isKnown && cookie.length <= MAX_HEADER_LENGTH) known.set(cookie, { token, copy, session });
    return { session, ...(counted ? { counted } : {}) };
  }

  async function tokenIn(cookie: string): Promise<string | null> {
    const { authCookies, secret } = await auth.$context;
    return readSessionToken(cookie, authCookies.sessionToken.name, secret);
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
    findUser: async (headers) => (await find(headers))?.session.user ?? null,
    async findAndRenew(headers, limiter) {
      const found = await find(headers, limiter);
      if (!found) return null;
      const { session, ...counted } = found;
      const setCookies = isRenewalDue(session) ? await renew(headers) : [];
      return { user: session.user, setCookies, ...counted };
    },
  };
}

function parse(json: string): Session {
  const { session, user } = JSON.parse(json);
  const { id, name, email } = user;
  return {
    user: { id, name, email, sessionId: session.id },
    signedInAtMs: Date.parse(session.createdAt),
    expiresAtMs: Date.parse(session.expiresAt),
  };
}

/** Not for what can't last any longer. */
function isRenewalDue({ expiresAtMs, signedInAtMs }: Session): boolean {
  const ageSeconds = SESSION_SECONDS - (expiresAtMs - Date.now()) / 1000;
  const isLast = expiresAtMs >= signedInAtMs + SESSION_MAX_SECONDS * 1000;
  return ageSeconds >= RENEW_AFTER_SECONDS && !isLast;
}
