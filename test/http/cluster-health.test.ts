// One cluster master that refuses writes makes the health check fail, because its share of the lobbies can't
// be played. [contract 18]
import type { Cluster } from 'ioredis';
import { expect, test } from 'vitest';
import { checkRedis } from '../../src/platform/redis/redis-check.ts';
import { createHttpClient } from '../support/http-client.ts';
import { useService } from '../support/service.ts';

const { service } = useService();

const redisStatus = async () => (await createHttpClient(service.url).get('/api/health')).body.checks.redis;

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
  expect((await createHttpClient(service.url).get('/api/health/ready')).status).toBe(200);
});

test('the start-up check looks at every master', async () => {
  const redis = service.services.redis as Cluster;
  await checkRedis(redis);
  const [, second] = redis.nodes('master');
  await second?.config('SET', 'maxmemory-policy', 'allkeys-lru');
  await expect(checkRedis(redis)).rejects.toThrow('allkeys-lru');
});
