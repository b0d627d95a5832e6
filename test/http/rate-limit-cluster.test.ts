import type { Cluster } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLimiter } from '../../src/http/rate-limit.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { connectRedis, type RedisClient } from '../../src/platform/redis/redis.ts';
import { checkRedis } from '../../src/platform/redis/redis-check.ts';
import { startEdge, type TestEdge } from '../support/edge.ts';
import { type RedisCluster, startRedisCluster } from '../support/redis-cluster.ts';

const MAX = 3;
const logger = createLogger('silent', 'test');

let cluster: RedisCluster;
let redis: RedisClient;
let replicas: TestEdge[];

beforeAll(async () => {
  cluster = await startRedisCluster();
  redis = connectRedis({ url: cluster.nodes, cluster: true }, 'commands', logger);
  const limits = { auth: MAX, guest: MAX, game: MAX, lobby: MAX, export: MAX, windowMs: 60_000 };
  const replica = () =>
    startEdge(async (app) => {
      const keyOf = ({ query }: { query: unknown }) => String((query as { user: string }).user);
      await app.register(async (scope) => {
        scope.addHook('onRequest', await createLimiter(scope, 'game', { redis, limits, keyOf }));
        scope.get('/limited', async () => ({}));
      });
    });
  replicas = [await replica(), await replica()];
});
afterAll(async () => {
  for (const replica of replicas) await replica.stop();
  redis.disconnect();
  await cluster.stop();
});

it('[contract 8] all replicas share the limits on a Redis Cluster, in whichever slot a user’s counter is', async () => {
  for (const user of ['ada', 'bo', 'cy', 'di', 'ed']) {
    const statuses: number[] = [];
    for (let count = 0; count <= MAX; count++) {
      const replica = replicas[count % 2] as TestEdge;
      statuses.push((await replica.call(`/limited?user=${user}`)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  }
});

it('the start-up check looks at every master of a Redis Cluster', async () => {
  await checkRedis(redis);
  const [, second] = (redis as Cluster).nodes('master');
  await second?.config('SET', 'maxmemory-policy', 'allkeys-lru');
  await expect(checkRedis(redis)).rejects.toThrow('allkeys-lru');
});
