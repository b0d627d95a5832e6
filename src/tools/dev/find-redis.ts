// Finds a Redis server to run: the one that the environment names, an installed one, or on Debian and Ubuntu one that
// is downloaded into a cache. npm has no package with a server.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { platform } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { fetchRedis } from './fetch-redis.ts';

/** The first major version with sharded publish and subscribe. */
const NEEDED_MAJOR = 7;

/** A server program for this machine. */
export interface RedisBinary {
  command: string;
  /** The folders of its libraries, if they aren't the system's. */
  libraryPath?: string;
  /** The version that it reports: `7.0.15`. */
  version: string;
}

/**
 * @param env `REDIS_SERVER_BIN` names the program; without it, `PATH` is searched for `redis-server` and
 *   `valkey-server`
 * @param log receives a line when a download begins, which takes seconds
 * @param signal aborts the download
 * @throws Error with the command that installs a server, when none is found
 */
export async function findRedis(
  env: NodeJS.ProcessEnv = process.env,
  log: (line: string) => void = console.log,
  signal?: AbortSignal,
): Promise<RedisBinary> {
  const named = env.REDIS_SERVER_BIN;
  const refused: string[] = [];
  for (const command of named ? [named] : onPath(['redis-server', 'valkey-server'], env.PATH)) {
    const binary = await probe(command);
    if (binary && isRecent(binary)) return binary;
    if (binary) refused.push(`${command} is too old (${binary.version})`);
  }
  if (named)
    throw new Error(`REDIS_SERVER_BIN names ${named}, which is not a Redis ${NEEDED_MAJOR} or later, or Valkey.`);
  const fetched = await fetchRedis(env, log, signal).catch((error: Error) => {
    refused.push(error.message);
    return undefined;
  });
  const binary = fetched && (await probe(fetched.command, fetched.libraryPath));
  if (binary && isRecent(binary)) return binary;
  if (binary) refused.push(`the system's packages bring ${binary.version}, which is too old`);
  throw new Error([`Redis ${NEEDED_MAJOR} or later is needed. ${advice()}`, ...refused].join('\n  '));
}

function onPath(names: string[], path = ''): string[] {
  const folders = path.split(delimiter).filter(Boolean);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).filter(existsSync);
}

/** @returns undefined when the program does not run, or is not a Redis */
async function probe(command: string, libraryPath?: string): Promise<RedisBinary | undefined> {
  const binary = { command, ...(libraryPath && { libraryPath }), version: '' };
  try {
    const { stdout } = await promisify(execFile)(command, ['--version'], { env: redisEnv(binary), timeout: 10_000 });
    const version = /\bv=(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
    return version ? { ...binary, version } : undefined;
  } catch {
    return undefined;
  }
}

/** @returns the environment of the program */
export function redisEnv({ libraryPath }: RedisBinary): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', ...(libraryPath && { LD_LIBRARY_PATH: libraryPath }) };
}

function isRecent({ version }: RedisBinary): boolean {
  return Number.parseInt(version, 10) >= NEEDED_MAJOR;
}

function advice(): string {
  const other = ', or set REDIS_URL or REDIS_SERVER_BIN.';
  if (platform() === 'darwin') return `Install it with: brew install redis${other}`;
  if (platform() === 'win32')
    return `Run one with: docker run -d -p 6379:6379 redis:7, and set REDIS_URL=redis://localhost:6379.`;
  return `Install it with: sudo dnf install valkey (or apt-get install redis-server)${other}`;
}
