// DATA_DIR/stack.json: what runs at this moment, for people and programs. [contract 9]
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What runs. A process that is down at the moment is left out. */
export interface Stack {
  databaseUrl: string;
  redisUrl: string;
  apis: { url: string; pid: number }[];
  workers: { pid: number }[];
  /** Absent when `DATABASE_URL` names another one. */
  postgres?: { pid: number };
  /** Absent when `REDIS_URL` names another one. */
  redis?: { pid: number };
}

/** Replaces the file in one step; only this user may read it, as the addresses hold passwords. */
export function writeStack(dataDir: string, stack: Stack): void {
  writeWhole(fileIn(dataDir), `${JSON.stringify(stack, null, 2)}\n`);
}

/** @returns undefined when there is none. */
export function readStack(dataDir: string): Stack | undefined {
  try {
    return JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Stack;
  } catch {
    return undefined;
  }
}

/** Nothing runs any more. */
export function removeStack(dataDir: string): void {
  rmSync(fileIn(dataDir), { force: true });
}

/** Writes a private file so that a reader finds the old content or the new, never a part. */
export function writeWhole(file: string, content: string): void {
  const draft = `${file}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, content, { mode: 0o600 });
  renameSync(draft, file);
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'stack.json');
}
