// Authenticates guarded requests and sockets without better-auth's router: it costs one Redis read and no SQL. A
// cookie that was seen a moment ago is only compared, and neither verified nor parsed again. [contract 6, 10]
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors.ts';
import { type Auth, RENEW_AFTER_SECONDS, SESSION_SECONDS } from '../auth.ts';
import type { SessionCache, SessionCopy } from './secondary-storage.ts';
import { SESSION_MAX_SECONDS } from './session-ends.ts';

export interface SessionUser {
  id: string;
  name: string;
  email: string;
  sessionId: string;
  /** The client address at a guest's creation, or the guest's id where it is unknown; absent for an account. */
  guestFrom?: string;
}

type SessionHeaders = Pick<IncomingHttpHeaders, 'cookie'>;
export type UserSessions = ReturnType<typeof createUserSessions>;

type Session = ReturnType<typeof parse>;

/** The number of remembered Cookie headers, of about 1 kB each; the least recently used are evicted. */
const MAX_KNOWN = 10_000;
/** The longest Cookie header that is remembered, characters. The service sets no longer ones. */
const MAX_HEADER_LENGTH = 1024;

export function createUserSessions(auth: Auth, cache: SessionCache) {
  /** The session that a Cookie header had when it was last seen. Redis decides whether it is still valid. */
  const known = new LRUCache<string, Session>({ max: MAX_KNOWN });

  async function find({ cookie = '' }: SessionHeaders): Promise<Session | null> {
    const before = known.get(cookie);
    const token = before?.token ?? (await tokenIn(cookie));
    if (!token) return null;
    const copy = await cache.read(token);
    const session = copy && (copy.version === before?.version ? before : parse(token, copy));
    if (!session || session.expiresAtMs <= Date.now()) {
      known.delete(cookie);
      return null;
    }
    if (session !== before && cookie.length <= MAX_HEADER_LENGTH) known.set(cookie, session);
    return session;
  }

  /** @returns the session's token, or null if there is no valid cookie */
  async function tokenIn(header: string): Promise<string | null> {
    const { authCookies, secret } = await auth.$context;
    const value = cookieValue(header, authCookies.sessionToken.name);
    const dot = value?.lastIndexOf('.') ?? -1;
    if (!value || dot < 1) return null;
    const token = value.slice(0, dot);
    const given = Buffer.from(value.slice(dot + 1));
    const expected = Buffer.from(createHmac('sha256', secret).update(token).digest('base64'));
    return given.length === expected.length && timingSafeEqual(given, expected) ? token : null;
  }

  async function renew(headers: SessionHeaders): Promise<string[]> {
    const { dontRememberToken } = (await auth.$context).authCookies;
    // A session without "remember me" is not extended; it ends after a day.
    if (headers.cookie?.includes(`${dontRememberToken.name}=`)) return [];
    try {
      const asked = new Headers({ cookie: headers.cookie ?? '' });
      return (await auth.api.getSession({ headers: asked, returnHeaders: true })).headers.getSetCookie();
    } catch {
      // The session ended at this moment, or a store is unreachable; the next request will tell.
      return [];
    }
  }

  return {
    /** @returns the signed-in user, or null; the session is not extended. @throws an outage */
    findUser: async (headers: SessionHeaders): Promise<SessionUser | null> => (await find(headers))?.user ?? null,
    /** Extends a session that was last extended a day ago. @returns the `set-cookie` headers for the response, too */
    async findAndRenew(headers: SessionHeaders): Promise<{ user: SessionUser; setCookies: string[] } | null> {
      const session = await find(headers);
      if (!session) return null;
      const setCookies = isRenewalDue(session) ? await renew(headers) : [];
      return { user: session.user, setCookies };
    },
  };
}

function parse(token: string, { json, version }: SessionCopy) {
  const { session, user } = JSON.parse(json);
  const { id, name, email, isAnonymous } = user;
  // A guest has one session, from the guest's creation on.
  const guestFrom = isAnonymous && { guestFrom: session.ipAddress || id };
  const sessionUser: SessionUser = { id, name, email, sessionId: session.id, ...guestFrom };
  const signedInAtMs = Date.parse(session.createdAt);
  const expiresAtMs = Date.parse(session.expiresAt);
  return { token, version, user: sessionUser, signedInAtMs, expiresAtMs };
}

/** A session that has reached its longest life is not extended. */
function isRenewalDue({ expiresAtMs, signedInAtMs }: Session): boolean {
  const ageSeconds = SESSION_SECONDS - (expiresAtMs - Date.now()) / 1000;
  const isLast = expiresAtMs >= signedInAtMs + SESSION_MAX_SECONDS * 1000;
  return ageSeconds >= RENEW_AFTER_SECONDS && !isLast;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user; `requireUser` sets it on guarded routes only. */
    user: SessionUser;
  }
}

/** Must be called before the first guarded route. */
export function registerUsers(app: FastifyInstance): void {
  app.decorateRequest('user', null as unknown as SessionUser);
}

/** @returns an onRequest hook that sets `request.user`. It throws UNAUTHENTICATED, or an outage */
export function requireUser({ userSessions }: { userSessions: UserSessions }): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const found = await userSessions.findAndRenew(request.headers);
    if (!found) throw new AppError('UNAUTHENTICATED');
    request.user = found.user;
    if (found.setCookies.length > 0) reply.header('set-cookie', found.setCookies);
  };
}

/** Reads the first of several cookies with one name, as better-auth's router does. */
function cookieValue(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return decode(pair.slice(equals + 1).trim());
  }
  return undefined;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
