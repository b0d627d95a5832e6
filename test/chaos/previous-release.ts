// The code of another release, to test a rolling update from it: a folder that exists, or one that is made
// from a commit of this repository.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ROOT } from '../support/sources.ts';

/** @param from a folder with a runnable release, or the name of a commit @throws Error if it is neither */
export function openRelease(from: string): { folder: string; remove(): void } {
  if (existsSync(join(from, 'package.json'))) return { folder: resolve(from), remove() {} };
  const folder = mkdtempSync(join(tmpdir(), 'quiz-release-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const archive = execFileSync('git', ['archive', from], { cwd: ROOT, maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    install(folder);
  } catch (error) {
    remove();
    throw new Error(`There is no release ${from} to update from.`, { cause: error });
  }
  return { folder, remove };
}

/** Installs the release's packages; it uses this project's if both lock files are equal. */
function install(folder: string): void {
  const lock = (of: string) => readFileSync(join(of, 'package-lock.json'), 'utf8');
  if (lock(folder) === lock(ROOT)) {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    execFileSync(process.execPath, ['prisma/generate.ts'], { cwd: folder, stdio: 'ignore' });
  } else execFileSync('npm', ['ci'], { cwd: folder, stdio: 'ignore' });
}
