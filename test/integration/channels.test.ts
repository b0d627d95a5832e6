// Subscriptions over a connection that breaks: they are renewed by who has them, not by the client's
// library, which would let a refusal end the process.
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChannels } from '../../src/platform/channels.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { connectRedis } from '../../src/platform/redis.ts';
import { announceChange, followChanges } from '../../src/vocabulary/changes.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnRedis, startOwnRedis } from '../support/own-redis.ts';

let server: OwnRedis;
beforeAll(async () => {
  server = await startOwnRedis();
});
afterAll(() => server.stop());

test('a server that refuses subscriptions for a while ends nothing, and they are there again after it', async () => {
  const admin = new Redis(server.url);
  const permit = (channels: string) => admin.call('ACL', 'SETUSER', 'quiz', channels);
  await admin.call('ACL', 'SETUSER', 'quiz', 'on', '>secret', '~*', '+@all', 'allchannels');
  const url = server.url.replace('redis://', 'redis://quiz:secret@');
  const options = { url, cluster: false };
  const connection = connectRedis(options, 'subscriber', createLogger('silent', 'test'));
  const heard: string[] = [];
  let [changes, breaks] = [0, 0];
  const channels = createChannels(connection, {
    message: (_channel, message) => heard.push(message),
    resubscribed() {},
  });
  followChanges(connection, () => changes++);
  connection.on('close', () => breaks++);
  try {
    await channels.subscribe('{game}');
    await eventually(() => expect(changes).toBeGreaterThan(0));
    // Redis breaks the connections of those who may no longer hear what they hear.
    await permit('resetchannels');
    await eventually(() => expect([breaks, connection.status]).toEqual([1, 'ready']));
    await connection.ping();
    await permit('allchannels');
    const before = changes;
    channels.reconnect();
    await eventually(async () => {
      await admin.spublish('{game}', 'again');
      await announceChange(admin);
      expect(heard).toContain('again');
      expect(changes).toBeGreaterThan(before + 1);
    });
  } finally {
    connection.disconnect();
    admin.disconnect();
  }
});

test('whoever has left the last lobby hears of changed words all the same', async () => {
  const admin = new Redis(server.url);
  const options = { url: server.url, cluster: false };
  const connection = connectRedis(options, 'subscriber', createLogger('silent', 'test'));
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
