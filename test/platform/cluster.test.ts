// Accounts work on a Redis Cluster: each command has one key, and the keys of a script share a slot. One master that
// refuses writes makes the health check fail, because its share of the lobbies can't be played. [contract 8, 18]
import type { Cluster } from 'ioredis';
import { expect, test } from 'vitest';
import { checkRedis } from '../../src/platform/redis/redis-check.ts';
import { newEmail, useEmailAccounts } from '../support/accounts.ts';

const { client, service, signedIn } = useEmailAccounts();

const redisStatus = async () => (await client().get('/api/health')).body.checks.redis;

test('signing up, in and out works on a Redis Cluster', async () => {
  const email = newEmail();
  const browser = await signedIn(email);
  const cookie = browser.cookie();
  const { userSessions } = service.services;
  expect(await userSessions.findUser({ cookie })).toMatchObject({ email });
  expect(await browser.post('/api/auth/sign-out', {})).toMatchObject({ status: 200 });
  expect(await userSessions.findUser({ cookie })).toBeNull();
});

test('the health check reports one master of three that refuses writes, and a slot that no master serves, until they are mended', async () => {
  const [, second, third] = (service.services.redis as Cluster).nodes('master');
  await expect.poll(redisStatus).toBe('ok');
  await second?.config('SET', 'min-replicas-to-write', '1');
  await expect.poll(redisStatus).toBe('read_only');
  await second?.config('SET', 'min-replicas-to-write', '0');
  await expect.poll(redisStatus).toBe('ok');

  await third?.cluster('DELSLOTS', '16383');
  await expect.poll(redisStatus).toBe('down');
  await third?.cluster('ADDSLOTS', '16383');
  await expect.poll(redisStatus).toBe('ok');
  expect((await client().get('/api/health/ready')).status).toBe(200);
});

test('the start-up check looks at every master', async () => {
  const redis = service.services.redis as Cluster;
  await checkRedis(redis);
  const [, second] = redis.nodes('master');
  await second?.config('SET', 'maxmemory-policy', 'allkeys-lru');
  await expect(checkRedis(redis)).rejects.toThrow('allkeys-lru');
});
