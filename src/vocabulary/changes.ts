// How replicas that run hear of an import: plain pub/sub, since it concerns all of them. Whoever
// misses the announcement sees the change when the pools refresh, a minute later at most.
import type { RedisClient } from '../platform/redis.ts';

const CHANNEL = 'vocabulary:changed';

/** Tells every replica that the vocabulary has changed. */
export async function announceChange(redis: RedisClient): Promise<void> {
  await redis.publish(CHANNEL, '');
}

/**
 * Calls `onChange` at every announcement, and after a broken connection, which may have lost one.
 * @param subscriber a connection that only subscribes
 */
export function followChanges(subscriber: RedisClient, onChange: () => void): void {
  subscriber.on('message', (channel: string) => {
    if (channel === CHANNEL) onChange();
  });
  subscriber.on('ready', onChange);
  // Rejects only when the process stops before Redis was ever there.
  subscriber.subscribe(CHANNEL).catch(() => undefined);
}
