// A failover turns the old primary into a replica, with its connections open, and points the address to the
// new primary: the service must reconnect to the new one. [contract 18]
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RedisClient } from '../../src/platform/redis/redis.ts';
import { type OwnRedis, startOwnRedis } from '../support/own-servers.ts';
import { connectToRedis } from '../support/stores.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

let servers: [OwnRedis, OwnRedis];
let address: TcpProxy;
let client: RedisClient;
const target = { host: '127.0.0.1', port: 0 };

beforeAll(async () => {
  servers = await Promise.all([startOwnRedis(), startOwnRedis()]);
  target.port = Number(new URL(servers[0].url).port);
  address = await startTcpProxy(target);
  client = connectToRedis({ redisUrl: address.url('redis') });
});
afterAll(async () => {
  client.disconnect();
  await address.stop();
  await Promise.all(servers.map((server) => server.dispose()));
});

test('a client of a primary that was made a replica reconnects to the server behind the address', async () => {
  expect(await client.set('before', 'written')).toBe('OK');
  const old = new Redis(servers[0].url);
  const port = Number(new URL(servers[1].url).port);
  await old.replicaof('127.0.0.1', port);
  // The address still points to the old primary, so that the client gets its error and reconnects in vain.
  await expect(client.set('during', 'refused')).rejects.toThrow('READONLY');
  target.port = port;
  await expect.poll(() => client.set('after', 'written').catch((error: Error) => error.message)).toBe('OK');
  old.disconnect();
});
