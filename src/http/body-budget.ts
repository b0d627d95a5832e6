// Limits how many bytes of large bodies a replica holds in memory. A body is counted with its declared length before it
// is read, until the response is finished and no work uses it any more. [contract 17]
import { finished } from 'node:stream';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { AppError } from '../errors.ts';
import { overLimit } from './over-limit.ts';

/** The `Retry-After` of a refusal in ms: about the time in which a large body arrives and is checked. */
const RETRY_AFTER_MS = 5000;

export interface BodyBudget {
  /**
   * A hook that runs after authentication and the limiter. It throws RATE_LIMITED when the user's bodies would exceed
   * the user's budget, and UNAVAILABLE when all bodies would exceed that of the replica.
   */
  admit: onRequestHookHandler;
  /** Counts the body until `work` is done, also when the client has disconnected. */
  holdWhile<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T>;
}

/** @param limits in bytes: for one body, for all bodies of one user, and for all bodies of this replica */
export function createBodyBudget(limits: {
  body: number;
  user: number;
  replica: number;
}): BodyBudget {
  const bytesOfUsers = new Map<string, number>();
  /** How many uses a body has: its request, and each `holdWhile`. */
  const uses = new WeakMap<FastifyRequest, number>();
  let totalBytes = 0;

  function add(userId: string, bytes: number): void {
    totalBytes += bytes;
    const left = (bytesOfUsers.get(userId) ?? 0) + bytes;
    if (left > 0) bytesOfUsers.set(userId, left);
    else bytesOfUsers.delete(userId);
  }

  function release(request: FastifyRequest, bytes: number): void {
    const left = (uses.get(request) ?? 0) - 1;
    uses.set(request, left);
    if (left === 0) add(request.user.id, -bytes);
  }

  /** A body that does not declare its length counts with the largest one allowed. */
  function bytesOf({ headers }: FastifyRequest): number {
    return Number(headers['content-length'] ?? (headers['transfer-encoding'] ? limits.body : 0));
  }

  return {
    admit(request, reply, done) {
      const bytes = bytesOf(request);
      // Fastify refuses a body whose declared length is too large, and does not read it.
      if (bytes > limits.body) return done();
      const userId = request.user.id;
      if ((bytesOfUsers.get(userId) ?? 0) + bytes > limits.user)
        return done(tooMuchOf(limits.user));
      if (totalBytes + bytes > limits.replica) return done(tooMuch());
      add(userId, bytes);
      uses.set(request, 1);
      // The client may have disconnected before this hook; `finished` calls back in that case too, unlike an event.
      finished(reply.raw, () => release(request, bytes));
      done();
    },
    async holdWhile(request, work) {
      uses.set(request, (uses.get(request) ?? 0) + 1);
      try {
        return await work();
      } finally {
        release(request, bytesOf(request));
      }
    },
  };
}

/** @param max the bytes that a user may send at once */
function tooMuchOf(max: number): AppError {
  const what = 'bytes at once';
  return overLimit({ limiter: 'body', what, max, waitMs: RETRY_AFTER_MS });
}

function tooMuch(): AppError {
  return new AppError('UNAVAILABLE', 'Too much is being sent at the moment. Try again shortly.', {
    retryAfterMs: RETRY_AFTER_MS,
  });
}
