// The commands for people share this: the request for their use, the line that shows how far they are, the stores that
// they find, and DATA_DIR/stack.json, which lists the processes that run now. [contract 9]
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandVariables } from '../config.ts';

/** @returns whether the arguments of a command ask how it is used */
export function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}

/** How often a line is rewritten on a terminal, and written elsewhere, ms. */
const SHOW_EVERY_MS = { terminal: 200, log: 5000 } as const;

/**
 * Shows how far a command is, on a terminal by a line that is rewritten.
 * @param describe is given the elapsed time, ms
 * @returns a function that ends it, and clears a terminal's line
 */
export function showProgress(
  describe: (elapsedMs: number) => string,
  output: NodeJS.WritableStream & { isTTY?: boolean; columns?: number },
): () => void {
  const startedMs = performance.now();
  const [start, end] = output.isTTY ? ['\r\x1b[2K', ''] : ['', '\n'];
  const width = output.isTTY ? (output.columns ?? 80) - 1 : undefined;
  const show = () => output.write(start + describe(performance.now() - startedMs).slice(0, width) + end);
  const timer = setInterval(show, SHOW_EVERY_MS[output.isTTY ? 'terminal' : 'log']);
  return () => {
    clearInterval(timer);
    if (output.isTTY) output.write(start);
  };
}

/** The running processes; one that is down at the moment is absent. */
export interface Stack {
  databaseUrl: string;
  redisUrl: string;
  apis: { url: string; pid: number }[];
  workers: { pid: number }[];
  /** Absent if `DATABASE_URL` names another server. */
  postgres?: { pid: number } | undefined;
  /** Absent if `REDIS_URL` names another server. */
  redis?: { pid: number } | undefined;
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

/** @returns the addresses; one that is not configured is undefined @throws ConfigError if a variable is invalid */
export function findStores() {
  const v = readCommandVariables();
  const stack = readStack(v.DATA_DIR);
  const url = v.REDIS_URL ?? stack?.redisUrl;
  return {
    databaseUrl: v.DATABASE_URL ?? stack?.databaseUrl,
    redis: url ? { url, cluster: v.REDIS_CLUSTER, timeoutMs: PATIENCE_MS } : undefined,
    lobbyIdleTtlSeconds: v.LOBBY_IDLE_TTL_SECONDS,
    clockQueues: v.CLOCK_QUEUES,
  };
}
