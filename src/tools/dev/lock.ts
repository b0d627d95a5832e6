// A lock that allows one launcher for each DATA_DIR. It identifies its holder by pid and start time, so that the lock
// of a crashed launcher is recognised. It lists the holder's children, so that the next launcher can end them.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readStack, writeWhole } from '../command.ts';
import { endProgram, isSame, type ProcessStamp, stampOf } from './leftover.ts';

const ATTEMPTS = 50;

interface Holder extends ProcessStamp {
  children: ProcessStamp[];
}

export interface Lock {
  /** Whether the lock was taken over from a launcher that had crashed. */
  readonly takenOver: boolean;
  /** Notes the processes that the holder has started. */
  setChildren(pids: (number | undefined)[]): void;
  release(): void;
}

/**
 * Takes the lock of `dataDir`, and ends the processes that a crashed holder has left running.
 * @throws Error with what to do when the holder is running
 */
export async function acquireLock(dataDir: string): Promise<Lock> {
  const file = join(dataDir, 'dev.lock');
  const me: Holder = { ...(stampOf(process.pid) as ProcessStamp), children: [] };
  let crashed: Holder | undefined;
  for (let attempt = 1; !create(file, me); attempt++) {
    const holder = read(file);
    if (holder && isSame(holder)) throw alreadyRunning(dataDir, holder.pid);
    // The file is empty for a moment while its holder writes it.
    if (!holder && attempt < ATTEMPTS) await sleep(10);
    else if (setAside(file, holder)) crashed = holder ?? crashed;
  }
  if (crashed) await Promise.all(crashed.children.map(endProgram));
  return {
    takenOver: crashed !== undefined,
    setChildren(pids) {
      me.children = pids.flatMap((pid) => (pid === undefined ? [] : (stampOf(pid) ?? [])));
      writeWhole(file, JSON.stringify(me));
    },
    release: () => rmSync(file, { force: true }),
  };
}

function alreadyRunning(dataDir: string, pid: number): Error {
  const urls = readStack(dataDir)?.apis.map(({ url }) => url) ?? [];
  return new Error(
    `npm run dev is already running in ${dataDir}: ` +
      `${urls.join(', ') || 'still starting'} (pid ${pid}).\n` +
      `Stop it with Ctrl-C there or "kill ${pid}", or set DATA_DIR and PORT for another.`,
  );
}

/** @returns false when the file exists already */
function create(file: string, holder: Holder): boolean {
  try {
    writeFileSync(file, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function read(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

/**
 * Removes the lock of a crashed holder. Several launchers may find the same old lock, so that each renames the file
 * first and then checks it; the new lock of a faster launcher is renamed back.
 * @returns whether this process has removed the lock
 */
function setAside(file: string, expected: Holder | undefined): boolean {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return false;
  }
  const got = read(aside);
  if (got && (got.pid !== expected?.pid || got.startedAt !== expected.startedAt)) {
    renameSync(aside, file);
    return false;
  }
  rmSync(aside, { force: true });
  return true;
}
