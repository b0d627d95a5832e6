// The service itself renews subscriptions over a connection that breaks, because a refusal during ioredis'
// own renewal would end the process.
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChannels } from '../../src/platform/redis/channels.ts';
import { announceChange, followChanges } from '../../src/vocabulary/pools.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnRedis, startOwnRedis } from '../support/own-servers.ts';
import { connectToRedis } from '../support/stores.ts';

let server: OwnRedis;
beforeAll(async () => {
  server = await startOwnRedis();
});
afterAll(() => server.stop());

test('subscriptions that a server refuses for a while do not end the process, and are made again afterwards', async () => {
  const admin = new Redis(server.url);
  const allow = (channels: string) => admin.call('ACL', 'SETUSER', 'quiz', channels);
  await admin.call('ACL', 'SETUSER', 'quiz', 'on', '>secret', '~*', '+@all', 'allchannels');
  const redisUrl = server.url.replace('redis://', 'redis://quiz:secret@');
  const connection = connectToRedis({ redisUrl }, 'subscriber');
  const received: string[] = [];
  let [changes, breaks] = [0, 0];
  const channels = createChannels(connection, {
    message: (_channel, message) => received.push(message),
    resubscribed() {},
  });
  followChanges(connection, () => changes++);
  connection.on('close', () => breaks++);
  try {
    await channels.subscribe('{game}');
    await eventually(() => expect(changes).toBeGreaterThan(0));
    // Redis closes the connections whose user has lost the permission for their subscribed channels.
    await allow('resetchannels');
    await eventually(() => expect([breaks, connection.status]).toEqual([1, 'ready']));
    await connection.ping();
    await allow('allchannels');
    const before = changes;
    channels.reconnect();
    await eventually(async () => {
      await admin.spublish('{game}', 'again');
      await announceChange(admin);
      expect(received).toContain('again');
      expect(changes).toBeGreaterThan(before + 1);
    });
  } finally {
    connection.disconnect();
    admin.disconnect();
  }
});

test('a replica that has left its last lobby still gets the announcements of changed words', async () => {
  const admin = new Redis(server.url);
  const connection = connectToRedis({ redisUrl: server.url }, 'subscriber');
  let changes = 0;
  const channels = createChannels(connection, { message() {}, resubscribed() {} });
  followChanges(connection, () => changes++);
  try {
    await channels.subscribe('{game}');
    channels.unsubscribe('{game}');
    await connection.ping();
    const before = changes;
    await eventually(async () => {
      await announceChange(admin);
      expect(changes).toBeGreaterThan(before);
    });
  } finally {
    connection.disconnect();
    admin.disconnect();
  }
});
