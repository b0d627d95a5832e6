// npm run dev as a person runs it: a process of its own, with its own folder and ports.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { networkAddresses } from '../../src/local-stack/network.ts';
import { freePort, isPortFree } from '../../src/local-stack/ports.ts';
import { isAlive } from '../../src/local-stack/process-stamp.ts';
import type { Stack } from '../../src/local-stack/stack-file.ts';
import { eventually } from '../support/eventually.ts';
import { startStores } from '../support/stores.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DEV = join(ROOT, 'src/local-stack/dev.ts');
const START_TIMEOUT_MS = 90_000;
const TEST_TIMEOUT_MS = 300_000;

interface Dev {
  readonly pid: number;
  readonly dataDir: string;
  readonly port: number;
  readonly ended: Promise<number | string | null>;
  output(): string;
  stack(): Stack;
  signal(signal: NodeJS.Signals): void;
}

const launchers = new Set<ChildProcess>();

function newDataDir(): string {
  const folder = mkdtempSync(join(inject('temporaryFolder'), 'dev-'));
  chmodSync(folder, 0o755);
  return join(folder, 'data');
}

async function dev(
  dataDir: string,
  env: NodeJS.ProcessEnv = {},
  [command, ...args]: [string, ...string[]] = [process.execPath, DEV],
): Promise<Dev> {
  const port = Number(env.PORT ?? (await freePort(2)));
  const child = spawn(command, args, {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      REDIS_SERVER_BIN: inject('redisBinary').libraryPath ? '' : inject('redisBinary').command,
      DATA_DIR: dataDir,
      PORT: String(port),
      // The default would be shared with whatever else runs on this machine.
      METRICS_PORT: String(await freePort(3)),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  launchers.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('close', (code, signal) => {
      launchers.delete(child);
      resolve(code ?? signal);
    }),
  );
  return {
    pid: child.pid as number,
    dataDir,
    port,
    ended,
    output: () => output,
    stack: () => JSON.parse(readFileSync(join(dataDir, 'stack.json'), 'utf8')) as Stack,
    signal: (signal) => void child.kill(signal),
  };
}

/** Waits for the address to open. */
async function ready(launcher: Dev): Promise<Dev> {
  let ended = false;
  void launcher.ended.then(() => {
    ended = true;
  });
  await eventually(
    () => {
      if (ended) return;
      if (!launcher.output().includes(`Open   http://localhost:${launcher.port}`))
        throw new Error(`Not started:\n${launcher.output()}`);
    },
    { timeoutMs: START_TIMEOUT_MS },
  );
  if (ended) throw new Error(`Ended while starting:\n${launcher.output()}`);
  return launcher;
}

function pidsOf(stack: Stack): number[] {
  const stores = [stack.postgres?.pid, stack.redis?.pid].filter((pid) => pid !== undefined);
  return [...stack.apis, ...stack.workers].map(({ pid }) => pid).concat(stores);
}

/**
 * Kills a process of the stack, and watches the file until it says that another one is there.
 * Between the two it names none, for a second: who was kept from looking for so long kills again.
 * @returns what the file said in between, the new process, and how long it took to come
 */
async function killAndWatch(
  { stack }: Dev,
  pidIn: (stack: Stack) => number | undefined,
): Promise<{ gone: Stack; pid: number; tookMs: number }> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const killed = pidIn(stack()) as number;
    const diedAt = performance.now();
    process.kill(killed, 'SIGKILL');
    const gone = await eventually(() => {
      const now = stack();
      expect(pidIn(now)).not.toBe(killed);
      return now;
    });
    const pid = await eventually(() => {
      const now = pidIn(stack());
      if (now === undefined) throw new Error('It was not started again.');
      return now;
    });
    if (pidIn(gone) === undefined) return { gone, pid, tookMs: performance.now() - diedAt };
  }
  throw new Error('The file never said that the process was gone.');
}

async function sql(databaseUrl: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function healthy(url: string): Promise<void> {
  const response = await fetch(`${url}/api/health`);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ status: 'ok' });
}

// A failed test leaves its launcher; stopped, it takes everything it started along.
afterAll(() => {
  for (const child of launchers) child.kill('SIGTERM');
});

describe('npm run dev', { timeout: TEST_TIMEOUT_MS }, () => {
  const dataDir = newDataDir();
  let stack: Dev;

  beforeAll(async () => {
    stack = await ready(await dev(dataDir, { API_REPLICAS: '2' }));
  }, TEST_TIMEOUT_MS);

  // Should a test fail midway, nothing stays behind.
  afterAll(async () => {
    stack?.signal('SIGTERM');
    await stack?.ended;
  }, TEST_TIMEOUT_MS);

  test('starts stores, replicas and a worker, and says in stack.json what runs where', async () => {
    const { port } = stack;
    const found = stack.stack();
    expect(found.apis.map(({ url }) => url)).toEqual([
      `http://localhost:${port}`,
      `http://localhost:${port + 1}`,
    ]);
    expect(found.workers).toHaveLength(1);
    const pids = pidsOf(found);
    expect(new Set(pids).size).toBe(5);
    expect(pids.filter(isAlive)).toEqual(pids);
    for (const { url } of found.apis) await healthy(url);
    expect(await sql(found.databaseUrl, 'SELECT count(*) > 1000 AS many FROM term')).toEqual([
      { many: true },
    ]);
  });

  test('keeps what is secret readable for its user alone', () => {
    for (const file of ['stack.json', 'secret', 'dev.lock'])
      expect(statSync(join(dataDir, file)).mode & 0o777).toBe(0o600);
    const secret = readFileSync(join(dataDir, 'secret'), 'utf8').trim();
    expect(secret.length).toBeGreaterThanOrEqual(32);
    expect(stack.output()).not.toContain(secret);
  });

  test('lets a page of any replica use any other', async () => {
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

  test('serves the page to play on, built if it was not', async () => {
    const { port } = stack;
    const page = await (await fetch(`http://localhost:${port}/`)).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
    expect((await fetch(`http://localhost:${port}${script}`)).status).toBe(200);
    expect(stack.output()).toMatch(/✓ Page /);
  });

  test('lets a phone in this network play, under the address that it names', async () => {
    const { port, output } = stack;
    const addresses = networkAddresses('0.0.0.0');
    expect(networkAddresses('127.0.0.1')).toEqual([]);
    expect(addresses.filter((address) => !/^\d+(\.\d+){3}$/.test(address))).toEqual([]);
    const named = /Phone {2}(\S+)/.exec(output())?.[1];
    expect(named).toBe(addresses[0] && `http://${addresses[0]}:${port}`);
    for (const address of addresses) {
      const origin = `http://${address}:${port}`;
      const { headers } = await fetch(`${origin}/api/health`, { headers: { origin } });
      expect(headers.get('access-control-allow-origin')).toBe(origin);
    }
  });

  test('starts an API that dies again after one second, on its port, and the file says so', async () => {
    const second = stack.stack().apis[1];
    const { url } = stack.stack().apis[0] as { url: string };
    const apiOf = ({ apis }: Stack) => apis.find((one) => one.url === url);
    const { gone, pid, tookMs } = await killAndWatch(stack, (now) => apiOf(now)?.pid);
    expect(gone.apis).toEqual([second]);
    expect(tookMs).toBeGreaterThanOrEqual(1_000);
    // Not much later, on a machine that has time for it.
    expect(tookMs).toBeLessThan(10_000);
    const restarted = await eventually(() => {
      const api = apiOf(stack.stack());
      if (api?.pid !== pid) throw new Error('It does not run any more.');
      return api;
    });
    expect(isAlive(restarted.pid)).toBe(true);
    await eventually(() => healthy(url), { timeoutMs: 60_000 });
    expect(stack.stack()).toEqual({ ...gone, apis: [restarted, second] });
  });

  test('starts a worker that dies again after one second', async () => {
    const { gone, pid } = await killAndWatch(stack, ({ workers }) => workers[0]?.pid);
    expect(gone.workers).toEqual([]);
    expect(isAlive(pid)).toBe(true);
  });

  test('starts a store that dies again, at the same address and with its data', async () => {
    const before = stack.stack();
    await sql(before.databaseUrl, 'CREATE TABLE kept AS SELECT 1 AS one');
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
    expect(await sql(after.databaseUrl, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
    for (const { url } of after.apis) await eventually(() => healthy(url), { timeoutMs: 60_000 });
  });

  test('says what runs already in the same DATA_DIR, and leaves it in peace', async () => {
    const before = stack.stack();
    const second = await dev(dataDir);
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(`already running in ${dataDir}`);
    expect(second.output()).toContain(`pid ${stack.pid}`);
    expect(second.output()).toContain(before.apis[0]?.url);
    expect(stack.stack()).toEqual(before);
    for (const { url } of before.apis) await healthy(url);
  });

  test('says which port is taken, and leaves nothing behind', async () => {
    const other = await dev(newDataDir(), { PORT: String(stack.port) });
    expect(await other.ended).toBe(1);
    expect(other.output()).toContain(`Port ${stack.port} is taken`);
    expect(readdirSync(other.dataDir)).toEqual([]);
  });

  test('SIGTERM stops everything it started, and nothing else', async () => {
    const pids = pidsOf(stack.stack());
    stack.signal('SIGTERM');
    expect(await stack.ended).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await isPortFree(stack.port, '0.0.0.0')).toBe(true);
    expect(existsSync(join(dataDir, 'stack.json'))).toBe(false);
    expect(existsSync(join(dataDir, 'dev.lock'))).toBe(false);
    // Another PostgreSQL of this machine: the one that the tests share.
    expect(await sql(inject('postgresUrl'), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('keeps its data between runs', async () => {
    stack = await ready(await dev(dataDir));
    expect(await sql(stack.stack().databaseUrl, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
  });

  test('a launcher that is killed takes everything along, and its lock blocks nobody', async () => {
    const pids = pidsOf(stack.stack());
    stack.signal('SIGKILL');
    expect(await stack.ended).toBe('SIGKILL');
    expect(existsSync(join(dataDir, 'dev.lock'))).toBe(true);
    await eventually(() => expect(pids.filter(isAlive)).toEqual([]), { timeoutMs: 60_000 });

    // At once again, while the processes of the one that is killed now are still ending.
    const next = await ready(await dev(dataDir));
    const orphans = pidsOf(next.stack());
    next.signal('SIGKILL');
    await next.ended;
    stack = await ready(await dev(dataDir, { PORT: String(next.port) }));
    expect(stack.output()).toContain('The last run was cut off');
    expect(orphans.filter(isAlive)).toEqual([]);
    expect(await sql(stack.stack().databaseUrl, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
    stack.signal('SIGINT');
    expect(await stack.ended).toBe(0);
  });
});

describe('npm run dev, otherwise', { timeout: TEST_TIMEOUT_MS }, () => {
  test('leaves stores that DATABASE_URL and REDIS_URL name as they are', async () => {
    const stores = await startStores();
    const dataDir = newDataDir();
    // A lock whose number belongs to another process today, as do those of its children.
    mkdirSync(dataDir, { recursive: true });
    const reused = { pid: process.pid, startedAt: 'long ago' };
    writeFileSync(join(dataDir, 'dev.lock'), JSON.stringify({ ...reused, children: [reused] }));

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
    launcher.signal('SIGTERM');
    expect(await launcher.ended).toBe(0);
    expect(pidsOf(found).filter(isAlive)).toEqual([]);
    expect(await sql(databaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await stores.stop();
  });

  test('stops when npm, which runs it, is told to stop or is killed', async () => {
    const dataDir = newDataDir();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const npm = await ready(await dev(dataDir, {}, ['npm', 'run', 'dev']));
      const pids = pidsOf(npm.stack());
      npm.signal(signal);
      await eventually(() => expect(pids.filter(isAlive)).toEqual([]), { timeoutMs: 60_000 });
      await eventually(() => expect(existsSync(join(dataDir, 'dev.lock'))).toBe(false));
    }
  });

  test('stops in good order when told to while it is starting', async () => {
    const launcher = await dev(newDataDir());
    await eventually(() => expect(launcher.output()).toContain('local stack on Node.js'));
    launcher.signal('SIGTERM');
    expect(await launcher.ended).toBe(0);
    expect(readdirSync(launcher.dataDir)).not.toContain('dev.lock');
    expect(existsSync(join(launcher.dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  test('refuses production, and says in one line a variable what is wrong', async () => {
    const production = await dev(newDataDir(), { NODE_ENV: 'production' });
    expect(await production.ended).toBe(1);
    expect(production.output()).toMatch(/^NODE_ENV is "production".*\n$/);

    const wrong = await dev(newDataDir(), { API_REPLICAS: 'two', PORT: '70000' });
    expect(await wrong.ended).toBe(1);
    expect(wrong.output()).toMatch(/^API_REPLICAS: .*\nPORT: .*\n$/);
    expect(existsSync(wrong.dataDir)).toBe(false);
  });

  test('says that DATA_DIR can not be written', async () => {
    const file = join(newDataDir(), '..', 'file');
    writeFileSync(file, '');
    for (const dataDir of [join(file, 'data'), '/proc/quiz/data']) {
      const launcher = await dev(dataDir);
      expect(await launcher.ended).toBe(1);
      expect(launcher.output()).toContain(`DATA_DIR: ${dataDir} can't be written`);
    }
  });

  test('tells of a database that can not be reached without its password', async () => {
    const port = await freePort();
    const env = { DATABASE_URL: `postgresql://quiz:hidden@127.0.0.1:${port}/quiz` };
    const launcher = await dev(newDataDir(), env);
    expect(await launcher.ended).toBe(1);
    expect(launcher.output()).toContain(`PostgreSQL at 127.0.0.1:${port} could not be reached`);
    expect(launcher.output()).not.toContain('hidden');
  });
});
