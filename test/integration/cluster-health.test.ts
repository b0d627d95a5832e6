// On a cluster one master that refuses writes is enough to be told: a share of all lobbies stands
// still. [contract 18]
import type { Cluster } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpClient } from '../support/http-client.ts';
import { startService, type TestService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';

let stores: TestStores;
let service: TestService;

beforeAll(async () => {
  stores = await startStores();
  service = await startService(stores);
});
afterAll(async () => {
  await service.stop();
  await stores.stop();
});

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
