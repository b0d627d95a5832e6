// The hook that requires a signed-in user. [contract 6, 10]
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { AppError } from '../../errors.ts';
import type { SessionUser, UserSessions } from './user-sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user; `requireUser` sets it on guarded routes only. */
    user: SessionUser;
  }
}

/** Declares `request.user`. It must be called once, before the first guarded route. */
export function registerUsers(app: FastifyInstance): void {
  app.decorateRequest('user', null as unknown as SessionUser);
}

/**
 * @returns an onRequest hook that sets `request.user` and renews the session once a day. It throws UNAUTHENTICATED
 * without a valid session, and an outage's error if the stores can't be reached
 */
export function requireUser({ userSessions }: { userSessions: UserSessions }): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const found = await userSessions.findAndRenew(request.headers);
    if (!found) throw new AppError('UNAUTHENTICATED');
    request.user = found.user;
    if (found.setCookies.length > 0) reply.header('set-cookie', found.setCookies);
  };
}
