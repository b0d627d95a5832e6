// npm run dev as a process, with its own folder and ports.
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, inject } from 'vitest';
import type { Stack } from '../../src/tools/command.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import { type Program, startProgram } from './command.ts';
import { eventually } from './eventually.ts';
import { withPostgres } from './sql.ts';

/** Long enough for a busy machine, on which the words alone take a minute. */
const START_TIMEOUT_MS = 240_000;
export const TEST_TIMEOUT_MS = 300_000;

export type DevProcess = Awaited<ReturnType<typeof dev>>;

const launchers = new Set<Program>();

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
  [command, ...args]: [string, ...string[]] = [process.execPath, 'src/tools/dev/dev.ts'],
) {
  const port = Number(env.PORT ?? (await freePort(2)));
  const common = {
    HOME: process.env.HOME,
    REDIS_SERVER_BIN: inject('redisBinary').libraryPath ? '' : inject('redisBinary').command,
    DATA_DIR: dataDir,
    PORT: String(port),
    // The default port may be used by other programs on this machine.
    METRICS_PORT: String(await freePort(3)),
  };
  const program = startProgram(args, { ...common, ...env }, command);
  launchers.add(program);
  return {
    ...program,
    dataDir,
    port,
    stack: () => JSON.parse(readFileSync(join(dataDir, 'stack.json'), 'utf8')) as Stack,
  };
}

/** Waits until the launcher prints the page's address. @throws Error if it ends before */
export async function ready(launcher: DevProcess): Promise<DevProcess> {
  const line = `Open   http://localhost:${launcher.port}`;
  const printed = eventually(() => expect(launcher.log()).toContain(line), { timeoutMs: START_TIMEOUT_MS });
  const ended = launcher.ended.then(() => Promise.reject(new Error(`Ended while starting:\n${launcher.log()}`)));
  await Promise.race([printed, ended]);
  return launcher;
}

export function pidsOf(stack: Stack): number[] {
  const stores = [stack.postgres?.pid, stack.redis?.pid].filter((pid) => pid !== undefined);
  return [...stack.apis, ...stack.workers].map(({ pid }) => pid).concat(stores);
}

/** Stops the launchers that failed tests of a file have left; SIGTERM makes each stop what it has started. */
export function stopLaunchersAfterTests(): void {
  afterAll(() => {
    for (const launcher of launchers) void launcher.end('SIGTERM');
  });
}

export const query = (url: string, sql: string) =>
  withPostgres(url, async (client) => (await client.query<Record<string, unknown>>(sql)).rows);
