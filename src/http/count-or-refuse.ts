// Counts what a request does in a window, for limits that a hook can't decide before the request is read.
import type { RedisClient } from '../platform/redis/redis.ts';
import { countedNetworks } from './client-address.ts';
import { countRequest } from './limiter-store.ts';
import { type Excess, overLimit } from './over-limit.ts';

export interface CountedAction extends Pick<Excess, 'limiter' | 'what' | 'max'> {
  /** The counter in Redis, which all replicas share. */
  key: string;
  /** The length of the window, ms. */
  windowMs: number;
}

/** Counts an action, even one that is refused later. @throws AppError RATE_LIMITED beyond the limit; an outage */
export async function countOrRefuse(redis: RedisClient, { key, windowMs, ...action }: CountedAction): Promise<void> {
  const { current, ttl } = await countRequest(redis, key, windowMs);
  if (current > action.max) throw overLimit({ ...action, waitMs: ttl });
}

type AddressAction = Omit<CountedAction, 'key'> & {
  /** @returns the counter of a network */
  keyOf(network: string): string;
};

/**
 * Counts an action for each network of a client address. [contract 17]
 * @throws AppError RATE_LIMITED beyond the limit; an outage
 */
export async function countForAddress(
  redis: RedisClient,
  address: string,
  { keyOf, max, ...action }: AddressAction,
): Promise<void> {
  for (const { key, times } of countedNetworks(address))
    await countOrRefuse(redis, { ...action, key: keyOf(key), max: times * max });
}

/**
 * Counts an action for each network of a client address, whatever comes beyond the limit. A network that is beyond it
 * leaves the wider ones uncounted.
 * @returns whether all networks are within the limit. @throws an outage
 */
export async function isWithinLimit(
  redis: RedisClient,
  address: string,
  { keyOf, max, windowMs }: Pick<AddressAction, 'keyOf' | 'max' | 'windowMs'>,
): Promise<boolean> {
  for (const { key, times } of countedNetworks(address)) {
    const { current } = await countRequest(redis, keyOf(key), windowMs);
    if (current > times * max) return false;
  }
  return true;
}
