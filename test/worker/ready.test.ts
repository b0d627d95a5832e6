// A worker reports readiness, on which a rollout of a new version or secret waits. [contract 18]
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../src/tools/dev/ports.ts';
import { eventually } from '../support/eventually.ts';
import { startWorkerProcess } from '../support/replica-process.ts';
import { SHORT_OUTAGES } from '../support/service.ts';
import { useStores } from '../support/stores.ts';
import { startProxyOf, type TcpProxy } from '../support/tcp-proxy.ts';

const stores = useStores();
/** The proxy through which the worker reaches Redis. */
let redis: TcpProxy;

beforeAll(async () => {
  redis = (await startProxyOf(stores.redisUrl)).proxy;
});
afterAll(() => redis.stop());

test('a worker is alive and not ready before it has reached Redis, and stays ready from then on', async () => {
  await redis.block();
  const metricsPort = await freePort();
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${metricsPort}${path}`);
    const text = await response.text();
    return [response.status, text && JSON.parse(text).status];
  };
  const redisUrl = `redis://127.0.0.1:${redis.port}`;
  const env = { ...SHORT_OUTAGES, METRICS_PORT: `${metricsPort}`, HOST: '127.0.0.1' };
  const worker = await startWorkerProcess({ ...stores, redisUrl }, env);
  try {
    expect(await get('/live')).toEqual([200, '']);
    expect(await get('/ready')).toEqual([503, 'starting']);
    await redis.unblock();
    await eventually(async () => expect(await get('/ready')).toEqual([200, 'ok']));
    // A later outage of Redis affects all workers alike, so that none becomes unready.
    await redis.block();
    await eventually(async () => {
      const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
      expect(await metrics.text()).toMatch(/^quiz_store_up{store="redis"} 0$/m);
    });
    expect(await get('/ready')).toEqual([200, 'ok']);
    await redis.unblock();
  } finally {
    expect(await worker.end('SIGTERM')).toBe(0);
  }
});
