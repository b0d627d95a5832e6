// One id from the client's request through the answer to the log line. [contract 1, 10]
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const PLAUSIBLE_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The field of a log line that holds the id, as in a problem. */
export const REQUEST_ID_LABEL = 'requestId';

/** @returns the client's own id when it is a plausible one, a new one otherwise */
export function requestIdOf({
  headers,
}: {
  headers: Record<string, string | string[] | undefined>;
}): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && PLAUSIBLE_ID.test(given) ? given : newRequestId();
}

/** @returns an id for a request that has none, even one too broken to have headers */
export function newRequestId(): string {
  return `req-${randomUUID()}`;
}

/** Returns the id with every answer. Call it first: no hook may answer before. */
export function registerRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
}
