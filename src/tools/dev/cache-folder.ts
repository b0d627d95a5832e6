// The folder in which unpacked programs stay between runs. It is a cache as the XDG specification defines it, which
// may be deleted at any time.
import { accessSync, chmodSync, constants, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = 'vocabulary-quiz';

/** @returns the user's cache folder, or one below the temporary folder if the former can't be written */
export function userCache(env: NodeJS.ProcessEnv = process.env): string {
  const base = env.XDG_CACHE_HOME || join(homedir(), '.cache');
  try {
    const folder = join(base, NAME);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
    return folder;
  } catch {
    return sharedCache();
  }
}

/**
 * @returns a folder that other users can read, for a server that runs as another user than this process
 * @throws Error when the folder belongs to another user, whose programs this process would run
 */
export function sharedCache(): string {
  const uid = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `${NAME}-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || (process.getuid && stat.uid !== uid))
    throw new Error(`${folder} belongs to somebody else: remove it, or set TMPDIR.`);
  chmodSync(folder, 0o755);
  return folder;
}

/**
 * Moves a finished folder to its place in one step, so that no process sees an incomplete one. When another process
 * was faster, its result stays and this one is removed.
 */
export async function publish(finished: string, place: string): Promise<void> {
  try {
    await rename(finished, place);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    rmSync(finished, { recursive: true, force: true });
  }
}
