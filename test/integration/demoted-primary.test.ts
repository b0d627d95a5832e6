// A failover that leaves the old primary alive, as a replica, and its connections open, while the
// address leads to the new one: nobody goes on speaking to the old one. [contract 18]
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../src/platform/logger.ts';
import { connectRedis, type RedisClient } from '../../src/platform/redis.ts';
import { type OwnRedis, startOwnRedis } from '../support/own-redis.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

let servers: [OwnRedis, OwnRedis];
let address: TcpProxy;
let client: RedisClient;
const target = { host: '127.0.0.1', port: 0 };

beforeAll(async () => {
  servers = await Promise.all([startOwnRedis(), startOwnRedis()]);
  target.port = Number(new URL(servers[0].url).port);
  address = await startTcpProxy(target);
  const options = { url: address.url('redis'), cluster: false };
  client = connectRedis(options, 'commands', createLogger('silent', 'test'));
});
afterAll(async () => {
  client.disconnect();
  await address.stop();
  await Promise.all(servers.map((server) => server.dispose()));
});

test('what was made a replica is left for the server that the address leads to', async () => {
  expect(await client.set('before', 'written')).toBe('OK');
  const old = new Redis(servers[0].url);
  const port = Number(new URL(servers[1].url).port);
  await old.replicaof('127.0.0.1', port);
  // Nowhere else to go yet: it says so, and goes on trying.
  await expect(client.set('during', 'refused')).rejects.toThrow('READONLY');
  target.port = port;
  await expect
    .poll(() => client.set('after', 'written').catch((error: Error) => error.message))
    .toBe('OK');
  old.disconnect();
});
