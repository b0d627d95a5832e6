// One launcher a DATA_DIR. The lock names its holder so exactly that one left by a crash is known
// as such, and lists the holder's children so that the next launcher can end what is left of them.
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSame, type ProcessStamp, stampOf } from './process-stamp.ts';
import { writeWhole } from './stack-file.ts';

/** How long children of a crashed launcher may take to notice that it is gone. */
const NOTICE_MS = 2_000;
const TERM_MS = 8_000;
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

/** Another launcher is at work in the same folder. */
export class AlreadyRunning extends Error {
  override readonly name = 'AlreadyRunning';
  readonly pid: number;
  constructor(pid: number) {
    super(`already running (pid ${pid})`);
    this.pid = pid;
  }
}

/**
 * Takes the lock of `dataDir`, and ends the processes that a crashed holder left behind.
 * @throws AlreadyRunning when its holder lives
 */
export async function acquireLock(dataDir: string): Promise<Lock> {
  const file = join(dataDir, 'dev.lock');
  const me: Holder = { ...(stampOf(process.pid) as ProcessStamp), children: [] };
  let crashed: Holder | undefined;
  for (let attempt = 1; !create(file, me); attempt++) {
    const holder = read(file);
    if (holder && isSame(holder)) throw new AlreadyRunning(holder.pid);
    // Empty: its holder may be writing it at this moment.
    if (!holder && attempt < ATTEMPTS) await sleep(10);
    else if (setAside(file, holder)) crashed = holder ?? crashed;
  }
  if (crashed) await Promise.all(crashed.children.map(endOrphan));
  return {
    takenOver: crashed !== undefined,
    setChildren(pids) {
      me.children = pids.flatMap((pid) => (pid === undefined ? [] : (stampOf(pid) ?? [])));
      writeWhole(file, JSON.stringify(me));
    },
    release: () => rmSync(file, { force: true }),
  };
}

/** @returns false when the file is there already. */
function create(file: string, holder: Holder): boolean {
  try {
    const descriptor = openSync(file, 'wx', 0o600);
    writeSync(descriptor, JSON.stringify(holder));
    closeSync(descriptor);
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

/** They end by themselves when their launcher is gone; one that doesn't is helped. */
async function endOrphan(child: ProcessStamp): Promise<void> {
  for (const [signal, patienceMs] of [
    [undefined, NOTICE_MS],
    ['SIGTERM', TERM_MS],
    ['SIGKILL', NOTICE_MS],
  ] as const) {
    if (signal && isSame(child)) process.kill(child.pid, signal);
    for (const since = Date.now(); isSame(child) && Date.now() - since < patienceMs; )
      await sleep(50);
  }
}
