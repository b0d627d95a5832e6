// Sharded pub/sub: works the same on one Redis node and on a cluster. Messages published while the
// connection was broken are lost; `onResubscribed` tells when to look for them elsewhere.

import type { RedisClient } from './redis.ts';
import { withTimeout } from './timeout.ts';

const SUBSCRIBE_TIMEOUT_MS = 1500;

export interface Channels {
  /** @throws an outage when Redis does not confirm in time; the channel is subscribed to later */
  subscribe(channel: string): Promise<void>;
  unsubscribe(channel: string): void;
  /** Breaks the connection and makes a new one: for a subscription that has fallen silent. */
  reconnect(): void;
}

/**
 * @param connection a connection of its own with role `subscriber`
 * @param on.message gets every message
 * @param on.resubscribed is called when all channels are subscribed to again after a break
 */
export function createChannels(
  connection: RedisClient,
  on: { message(channel: string, message: string): void; resubscribed(): void },
): Channels {
  const wanted = new Set<string>();
  connection.on('smessage', (channel: string, message: string) => on.message(channel, message));
  connection.on('ready', () => {
    Promise.all([...wanted].map((channel) => connection.ssubscribe(channel))).then(
      () => on.resubscribed(),
      () => {}, // Broken again: there will be another 'ready'. Or refused, and found silent.
    );
  });
  return {
    async subscribe(channel) {
      wanted.add(channel);
      await withTimeout(connection.ssubscribe(channel), SUBSCRIBE_TIMEOUT_MS);
    },
    unsubscribe(channel) {
      wanted.delete(channel);
      connection.sunsubscribe(channel).catch(() => {});
    },
    reconnect() {
      if (connection.status === 'ready') connection.disconnect(true);
    },
  };
}
