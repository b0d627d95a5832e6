// Sharded pub/sub, on one Redis server or a cluster. Messages that are published while the connection is broken are
// lost.
import { withTimeout } from '../outages/outage.ts';
import type { RedisClient } from './redis.ts';

const SUBSCRIBE_TIMEOUT_MS = 1500;

/**
 * @param connection a connection of its own with role `subscriber`
 * @param on.resubscribed is called after a reconnect, when lost messages can be read from elsewhere
 */
export function createChannels(
  connection: RedisClient,
  on: { message(channel: string, message: string): void; resubscribed(): void },
) {
  const wanted = new Set<string>();
  connection.on('smessage', (channel: string, message: string) => on.message(channel, message));
  connection.on('ready', () => {
    Promise.all([...wanted].map((channel) => connection.ssubscribe(channel))).then(
      () => on.resubscribed(),
      // Either the connection broke again, and 'ready' will follow, or Redis refused a subscription, and the caller
      // notices that it receives nothing.
      () => {},
    );
  });
  return {
    /** @throws an outage when Redis does not confirm in time; the subscription is made after the next reconnect */
    async subscribe(channel: string): Promise<void> {
      wanted.add(channel);
      await withTimeout(connection.ssubscribe(channel), SUBSCRIBE_TIMEOUT_MS);
    },
    unsubscribe(channel: string): void {
      wanted.delete(channel);
      connection.sunsubscribe(channel).catch(() => {});
    },
    /** Drops the connection and reconnects, for a subscription that no longer receives anything. */
    reconnect(): void {
      if (connection.status === 'ready') connection.disconnect(true);
    },
  };
}
