// Limits guesses of a secret within a window. A try is reserved before it is judged and counts only if it is wrong,
// so that no more than the allowed number are judged, even if they come at the same time. [contract 17]
import { randomUUID } from 'node:crypto';
import { addMember, type ExpiringMember, renewMembers } from '../../platform/redis/expiring-set.ts';
import type { RedisClient } from '../../platform/redis/redis.ts';
import type { HookContext } from '../plugins/auth-hooks.ts';
import { noteOutage } from '../store-failures.ts';

/** How long a reservation lasts, ms: longer than a hash takes on a busy machine. A crash leaves it to expire. */
const TRY_MS = 30_000;

interface TryLimit {
  /**
   * Reserves a request's try; `settle` must follow.
   * @param key the Redis key of the failures
   * @returns 0, or after how many ms a try is allowed again
   */
  reserve(asked: HookContext, key: string): Promise<number>;
  /** Counts a request's try as a failure, or releases it. It does nothing for a request without a try. */
  settle(asked: HookContext, isFailure: boolean): Promise<void>;
}

/**
 * @param redis a Redis connection of role `commands`
 * @param max the number of failures that a window allows
 */
export function createTryLimit(redis: RedisClient, { max, windowMs }: { max: number; windowMs: number }): TryLimit {
  /** The reserved tries by request context, which the hooks before and after an operation share. */
  const tries = new WeakMap<object, ExpiringMember>();

  return {
    async reserve({ context }, key) {
      const made = { key, member: randomUUID() };
      const waitMs = await noteOutage(() => addMember(redis, made, { max, ttlMs: TRY_MS }));
      if (waitMs === 0) tries.set(context, made);
      return waitMs;
    },

    async settle({ context }, isFailure) {
      const made = tries.get(context);
      if (!made) return;
      await noteOutage<unknown>(() =>
        isFailure ? renewMembers(redis, [made], windowMs) : redis.zrem(made.key, made.member),
      );
    },
  };
}
