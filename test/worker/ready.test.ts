// A worker reports readiness, on which a rollout of a new version or secret waits. [contract 18]
import { expect, test } from 'vitest';
import { freePort } from '../../src/tools/dev/ports.ts';
import { eventually } from '../support/eventually.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { createHttpClient } from '../support/http-client.ts';
import { startWorkerProcess } from '../support/replica-process.ts';
import { SHORT_OUTAGES } from '../support/service.ts';
import { useStores } from '../support/stores.ts';
import { startProxyOf } from '../support/tcp-proxy.ts';

const stores = useStores();
/** The proxy through which the worker reaches Redis. */
const redis = forAllTests(async () => (await startProxyOf(stores.redisUrl)).proxy);

test('a worker is alive and not ready before it has reached Redis, and stays ready from then on', async () => {
  await redis.block();
  const metricsPort = await freePort();
  const client = createHttpClient(`http://127.0.0.1:${metricsPort}`);
  const get = async (path: string) => {
    const { status, body } = await client.get(path);
    return [status, body?.status];
  };
  const redisUrl = `redis://127.0.0.1:${redis.port}`;
  const env = { ...SHORT_OUTAGES, METRICS_PORT: `${metricsPort}`, HOST: '127.0.0.1' };
  const worker = await startWorkerProcess({ ...stores, redisUrl }, env);
  try {
    expect(await get('/live')).toEqual([200, undefined]);
    expect(await get('/ready')).toEqual([503, 'starting']);
    await redis.unblock();
    await eventually(async () => expect(await get('/ready')).toEqual([200, 'ok']));
    // A later outage of Redis affects all workers alike, so that none becomes unready.
    await redis.block();
    await eventually(async () => {
      expect((await client.get('/metrics')).body).toMatch(/^quiz_store_up{store="redis"} 0$/m);
    });
    expect(await get('/ready')).toEqual([200, 'ok']);
    await redis.unblock();
  } finally {
    expect(await worker.end('SIGTERM')).toBe(0);
  }
});
