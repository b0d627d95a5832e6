// Gives each request an id, which the response and the log lines have too. [contract 1, 10]
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const PLAUSIBLE_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The field of a log line with the id; a problem calls it the same. */
export const REQUEST_ID_LABEL = 'requestId';

/** @returns the client's own id when it is short and of harmless characters, a new one otherwise */
export function requestIdOf({ headers }: { headers: Record<string, string | string[] | undefined> }): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && PLAUSIBLE_ID.test(given) ? given : newRequestId();
}

/** @returns an id for a request that has none, even one too broken to have headers */
export function newRequestId(): string {
  return `req-${randomUUID()}`;
}

/** Sets the id on every response. Call it first, since an earlier hook could respond without it. */
export function registerRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
}
