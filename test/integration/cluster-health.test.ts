// On a cluster one master that refuses writes is enough to be told: a share of all lobbies stands
// still. [contract 18]
import type { Cluster } from 'ioredis';
import { expect, test } from 'vitest';
import { createHttpClient } from '../support/http-client.ts';
import { useService } from '../support/service.ts';

const { service } = useService();

const redisIs = async () =>
  (await createHttpClient(service.url).get('/api/health')).body.checks.redis;

test('one master of three that refuses writes, or a slot that nobody serves, is seen and gone', async () => {
  const [, second, third] = (service.services.redis as Cluster).nodes('master');
  await expect.poll(redisIs).toBe('ok');
  await second?.config('SET', 'min-replicas-to-write', '1');
  await expect.poll(redisIs).toBe('read_only');
  await second?.config('SET', 'min-replicas-to-write', '0');
  await expect.poll(redisIs).toBe('ok');

  await third?.cluster('DELSLOTS', '16383');
  await expect.poll(redisIs).toBe('down');
  await third?.cluster('ADDSLOTS', '16383');
  await expect.poll(redisIs).toBe('ok');
  expect((await createHttpClient(service.url).get('/api/health/ready')).status).toBe(200);
});
