// The guard of everything that needs a signed-in user. [contract 6, 10]
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { AppError } from '../errors.ts';
import type { Count } from '../http/limiter-store.ts';
import type { RequestCounter, SessionUser, UserSessions } from './user-sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sends the request; set on guarded routes alone, by `requireUser`. */
    user: SessionUser;
    /** Set where the guard has counted the request already, for the limiter that follows it. */
    counted: Count | undefined;
  }
}

/** Makes room for `request.user`. Call it once, before the first guarded route. */
export function registerUsers(app: FastifyInstance): void {
  app.decorateRequest('user', null as unknown as SessionUser);
  app.decorateRequest('counted', undefined);
}

/**
 * @param limiter the one that runs next: the guard counts for it in its own round trip
 * @returns an onRequest hook that sets `request.user`, and renews the session once a day. It throws
 * UNAUTHENTICATED without a valid session, and an outage when the stores can't be asked.
 */
export function requireUser(
  { userSessions }: { userSessions: UserSessions },
  limiter?: RequestCounter,
): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const found = await userSessions.findAndRenew(request.headers, limiter);
    if (!found) throw new AppError('UNAUTHENTICATED');
    request.user = found.user;
    request.counted = found.counted;
    if (found.setCookies.length > 0) reply.header('set-cookie', found.setCookies);
  };
}
