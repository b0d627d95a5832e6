// npm run dev with existing stores, under npm, during its start, and with invalid settings.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isAlive } from '../../src/tools/dev/leftover.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import {
  dev,
  newDataDir,
  pidsOf,
  query,
  ready,
  stopLaunchersAfterTests,
  TEST_TIMEOUT_MS,
} from '../support/dev-process.ts';
import { eventually } from '../support/eventually.ts';
import { startStores } from '../support/stores.ts';

stopLaunchersAfterTests();

describe('npm run dev in special cases', { timeout: TEST_TIMEOUT_MS }, () => {
  test('does not start or stop stores that DATABASE_URL and REDIS_URL name', async () => {
    const stores = await startStores();
    const dataDir = newDataDir();
    // Nobody listens on the lock any more.
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(join(dataDir, 'dev.lock'), '');

    const { databaseUrl, redisUrl } = stores;
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, METRICS_PORT: '0' };
    const launcher = await ready(await dev(dataDir, env));
    const found = launcher.stack();
    expect(found).toEqual({
      databaseUrl,
      redisUrl,
      apis: [{ url: `http://localhost:${launcher.port}`, pid: expect.any(Number) }],
      workers: [{ pid: expect.any(Number) }],
    });
    expect(readdirSync(dataDir)).not.toContain('postgres');
    expect(await launcher.end('SIGTERM')).toBe(0);
    expect(pidsOf(found).filter(isAlive)).toEqual([]);
    expect(await query(databaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await stores.stop();
  });

  test('stops orderly if npm, which runs it, is stopped during its start', async () => {
    const npm = await dev(newDataDir(), {}, ['npm', 'run', 'dev']);
    await eventually(() => expect(npm.log()).toContain('local stack on Node.js'));
    await npm.end('SIGTERM');
    // On a busy machine the step that runs may take long, such as creating the database.
    const left = () =>
      [join('postgres', 'postmaster.pid'), 'dev.lock'].filter((file) => existsSync(join(npm.dataDir, file)));
    await eventually(() => expect(left()).toEqual([]), { timeoutMs: 120_000 });
  });

  test('refuses production, and reports each invalid variable in one line', async () => {
    const production = await dev(newDataDir(), { NODE_ENV: 'production' });
    expect(await production.ended).toBe(1);
    expect(production.log()).toMatch(/^NODE_ENV is "production".*\n$/);

    const wrong = await dev(newDataDir(), { API_REPLICAS: 'two', PORT: '70000' });
    expect(await wrong.ended).toBe(1);
    expect(wrong.log()).toMatch(/^API_REPLICAS: .*\nPORT: .*\n$/);
    expect(existsSync(wrong.dataDir)).toBe(false);
  });

  test('reports a DATA_DIR that is not writable, and one whose path is too long for a socket', async () => {
    const file = join(newDataDir(), '..', 'file');
    writeFileSync(file, '');
    for (const [dataDir, problem] of [
      [join(file, 'data'), "can't be written"],
      [join(newDataDir(), 'x'.repeat(120)), 'is too long a path'],
    ] as const) {
      const launcher = await dev(dataDir);
      expect(await launcher.ended).toBe(1);
      expect(launcher.log()).toContain(`DATA_DIR: ${dataDir} ${problem}`);
    }
  });

  test('reports a database that is unreachable without printing its password', async () => {
    const port = await freePort();
    const env = { DATABASE_URL: `postgresql://quiz:hidden@127.0.0.1:${port}/quiz` };
    const launcher = await dev(newDataDir(), env);
    expect(await launcher.ended).toBe(1);
    expect(launcher.log()).toContain(`PostgreSQL at 127.0.0.1:${port} could not be reached`);
    expect(launcher.log()).not.toContain('hidden');
  });
});
