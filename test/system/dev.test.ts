// npm run dev as a developer runs it: a process with its own folder and ports; also with existing stores, under npm,
// and with invalid settings.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { isAlive } from '../../src/tools/dev/leftover.ts';
import { freePort, isPortFree } from '../../src/tools/dev/ports.ts';
import { networkAddresses } from '../../src/tools/dev/settings.ts';
import {
  type DevProcess,
  dev,
  newDataDir,
  pidsOf,
  query,
  ready,
  stopLaunchersAfterTests,
  TEST_TIMEOUT_MS,
} from '../support/dev-process.ts';
import { eventually } from '../support/eventually.ts';
import { requireHealthy } from '../support/replica-process.ts';
import { startStores } from '../support/stores.ts';

stopLaunchersAfterTests();

describe('npm run dev', { timeout: TEST_TIMEOUT_MS }, () => {
  const dataDir = newDataDir();
  let stack: DevProcess;

  beforeAll(async () => {
    stack = await ready(await dev(dataDir, { API_REPLICAS: '2' }));
  }, TEST_TIMEOUT_MS);

  // This stops the launcher if a test fails halfway.
  afterAll(async () => {
    await stack?.end('SIGTERM');
  }, TEST_TIMEOUT_MS);

  test('starts stores, replicas and a worker, and writes their addresses to stack.json', async () => {
    const { port } = stack;
    const found = stack.stack();
    expect(found.apis.map(({ url }) => url)).toEqual([`http://localhost:${port}`, `http://localhost:${port + 1}`]);
    expect(found.workers).toHaveLength(1);
    const pids = pidsOf(found);
    expect(new Set(pids).size).toBe(5);
    expect(pids.filter(isAlive)).toEqual(pids);
    for (const { url } of found.apis) await requireHealthy(url);
    expect(await query(found.databaseUrl, 'SELECT count(*) > 1000 AS many FROM term')).toEqual([{ many: true }]);
  });

  test('makes its secrets readable for its user only', () => {
    for (const file of ['stack.json', 'secret']) expect(statSync(join(dataDir, file)).mode & 0o777).toBe(0o600);
    const secret = readFileSync(join(dataDir, 'secret'), 'utf8').trim();
    expect(secret.length).toBeGreaterThanOrEqual(32);
    expect(stack.log()).not.toContain(secret);
  });

  test('lets a page of any replica use any other replica', async () => {
    const [first, second] = stack.stack().apis.map(({ url }) => url) as [string, string];
    for (const [api, origin] of [
      [first, second],
      [second, first],
      [second, second],
    ] as const) {
      const { headers } = await fetch(`${api}/api/health`, { headers: { origin } });
      expect(headers.get('access-control-allow-origin')).toBe(origin);
    }
  });

  test('serves the page, and builds it if necessary', async () => {
    const { port } = stack;
    const page = await (await fetch(`http://localhost:${port}/`)).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
    expect((await fetch(`http://localhost:${port}${script}`)).status).toBe(200);
    expect(stack.log()).toMatch(/✓ Page /);
  });

  test('lets a phone in the same network play, at the address that it prints', async () => {
    const { port, log } = stack;
    const addresses = networkAddresses('0.0.0.0');
    expect(networkAddresses('127.0.0.1')).toEqual([]);
    expect(addresses.filter((address) => !/^\d+(\.\d+){3}$/.test(address))).toEqual([]);
    const named = /Phone {2}(\S+)/.exec(log())?.[1];
    expect(named).toBe(addresses[0] && `http://${addresses[0]}:${port}`);
    for (const address of addresses) {
      const origin = `http://${address}:${port}`;
      const { headers } = await fetch(`${origin}/api/health`, { headers: { origin } });
      expect(headers.get('access-control-allow-origin')).toBe(origin);
    }
  });

  test('restarts an API process that has died after one second, on its port, and updates stack.json', async () => {
    const before = stack.stack();
    const [first, ...others] = before.apis as [{ url: string; pid: number }];
    const diedAt = performance.now();
    process.kill(first.pid, 'SIGKILL');
    const restarted = await eventually(() => {
      const [api, ...rest] = stack.stack().apis;
      expect(rest).toEqual(others);
      expect(api?.pid).not.toBe(first.pid);
      return api;
    });
    expect(performance.now() - diedAt).toBeGreaterThanOrEqual(1_000);
    await eventually(() => requireHealthy(first.url), { timeoutMs: 60_000 });
    expect(stack.stack()).toEqual({ ...before, apis: [{ ...first, pid: restarted?.pid }, ...others] });
  });

  test('restarts a store that has died, at the same address and with its data', async () => {
    const before = stack.stack();
    await query(before.databaseUrl, 'CREATE TABLE kept AS SELECT 1 AS one');
    process.kill(before.postgres?.pid as number, 'SIGKILL');
    process.kill(before.redis?.pid as number, 'SIGKILL');
    await eventually(() => {
      const { postgres, redis } = stack.stack();
      expect(isAlive(postgres?.pid ?? 0) && postgres?.pid !== before.postgres?.pid).toBe(true);
      expect(isAlive(redis?.pid ?? 0) && redis?.pid !== before.redis?.pid).toBe(true);
    });
    const after = stack.stack();
    expect(after.databaseUrl).toBe(before.databaseUrl);
    expect(after.redisUrl).toBe(before.redisUrl);
    expect(await query(after.databaseUrl, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
    for (const { url } of after.apis) await eventually(() => requireHealthy(url), { timeoutMs: 60_000 });
  });

  test('reports what already runs with the same DATA_DIR, and leaves it running', async () => {
    const before = stack.stack();
    const second = await dev(dataDir);
    expect(await second.ended).toBe(1);
    expect(second.log()).toContain(`already running in ${dataDir}`);
    expect(second.log()).toContain(`pid ${stack.pid}`);
    expect(second.log()).toContain(before.apis[0]?.url);
    expect(stack.stack()).toEqual(before);
    for (const { url } of before.apis) await requireHealthy(url);
  });

  test('reports a port that is in use, and leaves no files or processes', async () => {
    const other = await dev(newDataDir(), { PORT: String(stack.port) });
    expect(await other.ended).toBe(1);
    expect(other.log()).toContain(`Port ${stack.port} is taken`);
    expect(readdirSync(other.dataDir)).toEqual([]);
  });

  test('leaves no processes if it is killed, and the next run starts at once, with the data of the last one', async () => {
    const orphans = pidsOf(stack.stack());
    expect(await stack.end('SIGKILL')).toBeNull();
    expect(existsSync(join(dataDir, 'dev.lock'))).toBe(true);
    stack = await ready(await dev(dataDir));
    expect(stack.log()).toContain('The last run was cut off');
    expect(orphans.filter(isAlive)).toEqual([]);
    expect(await query(stack.stack().databaseUrl, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
  });

  test('stops everything that it has started, and nothing else, on SIGTERM', async () => {
    const pids = pidsOf(stack.stack());
    expect(await stack.end('SIGTERM')).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await isPortFree(stack.port, '0.0.0.0')).toBe(true);
    expect(existsSync(join(dataDir, 'stack.json'))).toBe(false);
    expect(existsSync(join(dataDir, 'dev.lock'))).toBe(false);
    // The PostgreSQL that the tests share still runs.
    expect(await query(inject('postgresUrl'), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

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
