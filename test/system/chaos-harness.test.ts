// The faults of `npm run chaos` must not end the run itself: its own commands wait until a store answers again.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { createServices, type Services } from '../../src/services.ts';
import { checkAftermath } from '../chaos/aftermath.ts';
import { type RedisSite, startRedisSite } from '../chaos/redis-site.ts';
import type { Stage } from '../chaos/stage.ts';
import { startStores, type TestStores } from '../support/stores.ts';

/** Longer than any command of the run waits, ms. */
const FROZEN_MS = 6000;

let stores: TestStores;
let site: RedisSite;
let services: Services;

beforeAll(async () => {
  const folder = mkdtempSync(join(inject('temporaryFolder'), 'chaos-'));
  stores = await startStores();
  site = await startRedisSite('single', { folder, binary: inject('redisBinary'), onFailover() {} });
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: site.directUrl,
  });
  services = createServices(config, createLogger(config.logLevel, 'test'));
});
afterEach(() => site.server?.resume());
afterAll(async () => {
  await services.stop();
  await site.stop();
  await stores.stop();
});

async function thaw(): Promise<void> {
  await sleep(FROZEN_MS);
  site.server?.resume();
}

it('a setting of Redis is repaired, though Redis is frozen for longer than a command waits', async () => {
  await site.each((client) => client.config('SET', 'maxmemory', 1));
  site.server?.pause();
  await Promise.all([thaw(), site.each((client) => client.config('SET', 'maxmemory', 0))]);
  expect(await services.redis.config('GET', 'maxmemory')).toEqual(['maxmemory', '0']);
});

it('the check of what is left waits for a Redis that doesn’t answer in time', async () => {
  const stage = { services, replicas: [], workers: [], backendsMax: 5 } as Partial<Stage> as Stage;
  site.server?.pause();
  const [violations] = await Promise.all([checkAftermath(stage), thaw()]);
  expect(violations).toEqual([]);
});
