// The commands for people share this: the request for their use, the stores that they find, and DATA_DIR/stack.json,
// which lists the processes that run now. [contract 9]
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStoreUrls } from '../config.ts';

/** @returns whether the arguments of a command ask how it is used */
export function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}

/** The running processes; one that is down at the moment is absent. */
export interface Stack {
  databaseUrl: string;
  redisUrl: string;
  apis: { url: string; pid: number }[];
  workers: { pid: number }[];
  /** Absent if `DATABASE_URL` names another server. */
  postgres?: { pid: number };
  /** Absent if `REDIS_URL` names another server. */
  redis?: { pid: number };
}

/** Replaces the file atomically. Only this user may read it, since the addresses contain passwords. */
export function writeStack(dataDir: string, stack: Stack): void {
  const file = fileIn(dataDir);
  const draft = `${file}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** @returns the file's content, or undefined if there is none */
export function readStack(dataDir: string): Stack | undefined {
  try {
    return JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Stack;
  } catch {
    return undefined;
  }
}

/** Removes the file when nothing runs. */
export function removeStack(dataDir: string): void {
  rmSync(fileIn(dataDir), { force: true });
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'stack.json');
}

/** How long a command for people waits for a store, ms. Whoever types one waits longer than a client of the service. */
export const PATIENCE_MS = 5000;

interface StoreAddresses {
  databaseUrl: string | undefined;
  redis: { url: string; cluster: boolean; timeoutMs: number } | undefined;
  lobbyIdleTtlSeconds: number;
  clockQueues: number;
}

/** @returns the addresses; one that is not configured is undefined @throws ConfigError if a variable is invalid */
export function findStores(): StoreAddresses {
  const { dataDir, databaseUrl, redisUrl, redisCluster, ...settings } = readStoreUrls();
  const stack = readStack(dataDir);
  const url = redisUrl ?? stack?.redisUrl;
  return {
    databaseUrl: databaseUrl ?? stack?.databaseUrl,
    redis: url ? { url, cluster: redisCluster, timeoutMs: PATIENCE_MS } : undefined,
    ...settings,
  };
}

/** The first release that runs TypeScript unbuilt without a flag, as `package.json` demands. */
const NEEDED: readonly [major: number, minor: number] = [22, 18];

/**
 * Refuses an old Node.js in one line. Where the optional dependency with a current one was skipped, the system's runs,
 * and an old one would fail with an error that does not tell the cause.
 * @throws Error when this Node.js is too old for the service
 */
export function assertNodeVersion(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  // Node.js 23.0 to 23.5 still need a flag to run TypeScript.
  const old = major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1]);
  if (old || (major === 23 && minor < 6))
    throw new Error(
      `Node.js ${NEEDED.join('.')} or later is needed, this is ${version}. "npm ci" brings one ` +
        'along, unless it is told to omit optional dependencies.',
    );
}
