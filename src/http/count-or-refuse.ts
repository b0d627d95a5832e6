// Counts what a request does in a window, for limits that a hook can't decide before the request is read.
import { AppError } from '../errors.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { countedNetworks } from './client-address.ts';
import { countRequest } from './limiter-store.ts';
import { limitedRequests } from './rate-limit.ts';

export interface CountedAction {
  /** The counter in Redis, which all replicas share. */
  key: string;
  /** How many a window allows. */
  max: number;
  /** The length of the window, ms. */
  windowMs: number;
  /** The limit's name in the metrics. */
  limiter: string;
  /** What there are too many of, for the error's detail: `games`. */
  what: string;
}

/** Counts an action, even one that is refused later. @throws AppError RATE_LIMITED beyond the limit; an outage */
export async function countOrRefuse(
  redis: RedisClient,
  { key, max, windowMs, limiter, what }: CountedAction,
): Promise<void> {
  const { current, ttl } = await countRequest(redis, key, windowMs);
  if (current <= max) return;
  limitedRequests.inc({ limiter });
  const seconds = Math.ceil(ttl / 1000);
  throw new AppError('RATE_LIMITED', `Too many ${what}. Try again in ${seconds} seconds.`, {
    retryAfterMs: ttl,
  });
}

/**
 * Counts an action for each network of a client address. [contract 17]
 * @param action.keyOf returns the counter of a network
 * @throws AppError RATE_LIMITED beyond the limit; an outage
 */
export async function countForAddress(
  redis: RedisClient,
  address: string,
  { keyOf, max, ...action }: Omit<CountedAction, 'key'> & { keyOf(network: string): string },
): Promise<void> {
  for (const { key, times } of countedNetworks(address))
    await countOrRefuse(redis, { ...action, key: keyOf(key), max: times * max });
}
