// npm run dev as a process, with its own folder and ports.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, expect, inject } from 'vitest';
import type { Stack } from '../../src/tools/command.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import { COMPILE_CACHE } from './command.ts';
import { eventually } from './eventually.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DEV = join(ROOT, 'src/tools/dev/dev.ts');
/** Long enough for a busy machine, on which the words alone take a minute. */
const START_TIMEOUT_MS = 240_000;
export const TEST_TIMEOUT_MS = 300_000;

export interface DevProcess {
  readonly pid: number;
  readonly dataDir: string;
  readonly port: number;
  readonly ended: Promise<number | string | null>;
  output(): string;
  stack(): Stack;
  signal(signal: NodeJS.Signals): void;
}

const launchers = new Set<ChildProcess>();

/** Makes a folder that the servers' user can enter. */
export function newFolder(): string {
  const folder = mkdtempSync(join(inject('temporaryFolder'), 'local-'));
  chmodSync(folder, 0o755);
  return folder;
}

export const newDataDir = () => join(newFolder(), 'data');

export async function dev(
  dataDir: string,
  env: NodeJS.ProcessEnv = {},
  [command, ...args]: [string, ...string[]] = [process.execPath, DEV],
): Promise<DevProcess> {
  const port = Number(env.PORT ?? (await freePort(2)));
  const child = spawn(command, args, {
    cwd: ROOT,
    env: {
      ...COMPILE_CACHE,
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      REDIS_SERVER_BIN: inject('redisBinary').libraryPath ? '' : inject('redisBinary').command,
      DATA_DIR: dataDir,
      PORT: String(port),
      // The default port may be used by other programs on this machine.
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

/** Waits until the launcher prints the page's address. */
export async function ready(launcher: DevProcess): Promise<DevProcess> {
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

export function pidsOf(stack: Stack): number[] {
  const stores = [stack.postgres?.pid, stack.redis?.pid].filter((pid) => pid !== undefined);
  return [...stack.apis, ...stack.workers].map(({ pid }) => pid).concat(stores);
}

export async function healthy(url: string): Promise<void> {
  const response = await fetch(`${url}/api/health`);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ status: 'ok' });
}

/** Stops the launchers that failed tests of a file have left; SIGTERM makes each stop what it has started. */
export function stopLaunchersAfterTests(): void {
  afterAll(() => {
    for (const child of launchers) child.kill('SIGTERM');
  });
}

/** Runs one statement on a connection of its own. @returns the rows */
export async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** @returns a client that reconnects at once and fails commands while it is disconnected */
export function redisClient(url: string): Redis {
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: 0 });
  client.on('error', () => undefined);
  return client;
}
