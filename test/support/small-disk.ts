// A small file system that a test can fill, so that a server on it gets the errors of a full disk. It is a
// tmpfs, so that the machine's own disk is not affected.
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type SmallDisk = ReturnType<typeof openSmallDisk>;

/**
 * @param parent an existing folder, in which the file system is mounted
 * @param sizeMb its size
 * @throws Error if this process may not mount it, which takes root or `sudo` without a password
 */
export function openSmallDisk(parent: string, sizeMb: number) {
  const folder = mkdtempSync(join(parent, 'disk-'));
  const filler = join(folder, 'filler');
  try {
    asRoot('mount', '-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=1777`, 'quiz-test', folder);
  } catch (error) {
    rmdirSync(folder);
    throw new Error('a disk of its own needs root, or sudo without a password', { cause: error });
  }
  return {
    folder,
    fill(): void {
      const file = openSync(filler, 'w');
      for (const bytes of [1024 * 1024, 4096]) writeUntilFull(file, Buffer.alloc(bytes));
      closeSync(file);
    },
    free: () => rmSync(filler, { force: true }),
    /** Unmounts the file system; programs that use it have to be stopped before. */
    dispose(): void {
      asRoot('umount', folder);
      rmdirSync(folder);
    },
  };
}

/** Unmounts the small disks that killed programs have left in a folder, also those that a dying server still uses. */
export function unmountAllIn(folder: string): void {
  const mounts = existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8').split('\n') : [];
  for (const [, place = ''] of mounts.map((mount) => mount.split(' ')))
    if (place.startsWith(folder)) asRoot('umount', '--lazy', place);
}

/** @returns whether this process may mount a file system */
export function canOpenSmallDisk(): boolean {
  try {
    openSmallDisk(tmpdir(), 1).dispose();
    return true;
  } catch {
    return false;
  }
}

function asRoot(...command: [string, ...string[]]): void {
  const [program, ...args] = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command];
  execFileSync(program as string, args, { stdio: 'pipe' });
}

function writeUntilFull(file: number, piece: Buffer): void {
  try {
    for (;;) writeSync(file, piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
