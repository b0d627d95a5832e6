// One launcher a DATA_DIR. The lock names its holder so exactly that one left by a crash is known
// as such, and lists the holder's children so that the next launcher can end what is left of them.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endProgram } from './leftover.ts';
import { isSame, type ProcessStamp, stampOf } from './process-stamp.ts';
import { readStack, writeWhole } from './stack-file.ts';

const ATTEMPTS = 50;

interface Holder extends ProcessStamp {
  children: ProcessStamp[];
}

export interface Lock {
  /** Whether it was taken over from a launcher that crashed. */
  readonly takenOver: boolean;
  /** Notes which processes depend on us. */
  setChildren(pids: (number | undefined)[]): void;
  release(): void;
}

/**
 * Takes the lock of `dataDir`, and ends the processes that a crashed holder left behind.
 * @throws Error with what to do when its holder lives
 */
export async function acquireLock(dataDir: string): Promise<Lock> {
  const file = join(dataDir, 'dev.lock');
  const me: Holder = { ...(stampOf(process.pid) as ProcessStamp), children: [] };
  let crashed: Holder | undefined;
  for (let attempt = 1; !create(file, me); attempt++) {
    const holder = read(file);
    if (holder && isSame(holder)) throw alreadyRunning(dataDir, holder.pid);
    // Empty: its holder may be writing it at this moment.
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

/** @returns false when the file is there already. */
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
 * Of several launchers that find the same old lock, one may set it aside. It looks at what it got:
 * the lock of one that was faster by a moment is put back.
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
