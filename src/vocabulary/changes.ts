// Announces an import to the running replicas by sharded pub/sub. Plain pub/sub isn't used, since ioredis
// forgets the plain channels of a connection when it leaves its last sharded channel. A replica that misses
// the announcement sees the change when its pools are refreshed, within a minute.
import { createChannels } from '../platform/redis/channels.ts';
import type { RedisClient } from '../platform/redis/redis.ts';

const CHANNEL = 'vocabulary:changed';

/** Announces to every replica that the vocabulary has changed. */
export async function announceChange(redis: RedisClient): Promise<void> {
  await redis.spublish(CHANNEL, '');
}

/**
 * Calls `onChange` at every announcement, and after a reconnect, since an announcement may have been lost.
 * @param subscriber a connection that only subscribes
 */
export function followChanges(subscriber: RedisClient, onChange: () => void): void {
  const channels = createChannels(subscriber, {
    message(channel) {
      if (channel === CHANNEL) onChange();
    },
    resubscribed: onChange,
  });
  // Where Redis is away, the channel is subscribed to after the reconnect.
  channels.subscribe(CHANNEL).catch(() => undefined);
}
