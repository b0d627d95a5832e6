import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { healthRoutes } from '../../src/http/health.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { createStoreChecks, type StoreProbes } from '../../src/platform/outages/store-checks.ts';
import { edgeOfTest } from '../support/edge.ts';

/** @param onRequest is called when a request has come */
function edgeWith(probes: Partial<StoreProbes> = {}, lifecycle = { draining: false }, onRequest = () => {}) {
  const all = { postgres: async () => 1, redis: async () => 1, ...probes };
  const storeChecks = createStoreChecks(all, createLogger('silent', 'test'));
  onTestFinished(() => storeChecks.stop());
  return edgeOfTest((app) => {
    app.addHook('onRequest', async () => onRequest());
    for (const { options } of healthRoutes({ version: '1.2.3', lifecycle, storeChecks })) app.route(options);
  });
}
const never = () => new Promise<never>(() => {});
const away = async () => Promise.reject(new Error('connect ECONNREFUSED secret-host:6379'));

describe('[contract 7] GET /api/health', () => {
  it('is 200 with the version while both stores answer, and is never cached', async () => {
    const edge = await edgeWith();
    const { status, headers, body } = await edge.call('/api/health');
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'ok', version: '1.2.3', checks: { postgres: 'ok', redis: 'ok' } });
    expect(headers['cache-control']).toBe('no-store');
    expect(headers).not.toHaveProperty('ratelimit-limit');
    expect(await edge.call({ method: 'HEAD', url: '/api/health' })).toMatchObject({ status: 200, text: '' });
  });

  it('shares one check among a flood of requests', async () => {
    const flood = 200;
    let checks = 0;
    let requests = 0;
    const arrived = Promise.withResolvers<void>();
    const redis = async () => {
      checks++;
      await arrived.promise;
      await nextTurn();
    };
    const onRequest = () => void (++requests === flood && arrived.resolve());
    const edge = await edgeWith({ redis }, undefined, onRequest);
    const answers = await Promise.all(Array.from({ length: flood }, () => edge.call('/api/health')));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(checks).toBe(1);
  });
});

it('[contract 7] GET /api/health/live is 200 while the process runs, whatever the stores do', async () => {
  const edge = await edgeWith({ postgres: away, redis: never }, { draining: true });
  const headers = { 'cache-control': 'no-store' };
  expect(await edge.call('/api/health/live')).toMatchObject({ status: 200, text: '{"status":"ok"}', headers });
});

describe('[contract 18] GET /api/health/ready', () => {
  it('is 503 starting until both stores have answered once, then 200 whatever they do', async () => {
    let isAway = true;
    const edge = await edgeWith({ redis: () => (isAway ? away() : Promise.resolve()) });
    const ready = () => edge.call('/api/health/ready');
    const headers = { 'cache-control': 'no-store' };
    expect(await ready()).toMatchObject({ status: 503, text: '{"status":"starting"}', headers });
    isAway = false;
    await expect.poll(async () => (await ready()).body).toEqual({ status: 'ok' });
    isAway = true;
    await expect.poll(async () => (await edge.call('/api/health')).status).toBe(503);
    expect((await ready()).status).toBe(200);
  });

  it('[contract 10] is 503 draining from the first signal on, and GET /api/health too', async () => {
    const lifecycle = { draining: false };
    const edge = await edgeWith({}, lifecycle);
    const ready = () => edge.call('/api/health/ready');
    await expect.poll(async () => (await ready()).status).toBe(200);
    lifecycle.draining = true;
    expect(await ready()).toMatchObject({ status: 503, body: { status: 'draining' } });
    const body = { status: 'draining', checks: { postgres: 'ok', redis: 'ok' } };
    expect(await edge.call('/api/health')).toMatchObject({ status: 503, body });
  });
});
