// Where unpacked programs are kept between runs: a cache in the sense of the XDG rules, which may
// be deleted at any time, and outside of any system folder.
import { accessSync, chmodSync, constants, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = 'vocabulary-quiz';

/** The user's own cache folder, or one below the temporary folder where that can't be written. */
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
 * A folder that other users may read, for a server that runs as another user than we do.
 * @throws Error when somebody else owns the place: what lies there would be run by us
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
 * Puts a finished folder in its place in one step, so that nobody ever sees half of it. When
 * another process was faster, its result stands and ours is dropped.
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
