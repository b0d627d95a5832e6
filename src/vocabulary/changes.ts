// How replicas that run hear of an import: by sharded pub/sub, as all that they hear, since Redis' library
// forgets plain channels of a connection when it leaves the last sharded one. Whoever misses the
// announcement sees the change when the pools refresh, a minute later at most.
import { createChannels } from '../platform/channels.ts';
import type { RedisClient } from '../platform/redis.ts';

const CHANNEL = 'vocabulary:changed';

/** Tells every replica that the vocabulary has changed. */
export async function announceChange(redis: RedisClient): Promise<void> {
  await redis.spublish(CHANNEL, '');
}

/**
 * Calls `onChange` at every announcement, and after a broken connection, which may have lost one.
 * @param subscriber a connection that only subscribes
 */
export function followChanges(subscriber: RedisClient, onChange: () => void): void {
  const channels = createChannels(subscriber, {
    message(channel) {
      if (channel === CHANNEL) onChange();
    },
    resubscribed: onChange,
  });
  // Not confirmed in time: it is subscribed to when the connection is ready.
  channels.subscribe(CHANNEL).catch(() => undefined);
}
