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
  // Rejects when the connection breaks or ends: there will be another one, or none is needed.
  const subscribe = () => subscriber.subscribe(CHANNEL).catch(() => undefined);
  subscriber.on('ready', () => {
    subscribe();
    onChange();
  });
  subscribe();
}
