// Fetches Redis from the system's own package archive, with its signature checks, and unpacks it
// into a cache folder: nothing is installed, no right of root's is needed, no file of the system
// is changed.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { publish, userCache } from './cache-folder.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 180_000;

/** The unpacked program and the libraries it needs beside the system's. */
export interface FetchedRedis {
  command: string;
  libraryPath: string;
}

/**
 * @param env decides where the cache is: `XDG_CACHE_HOME`
 * @param log is told in one line when something is fetched
 * @param signal ends the fetching early
 * @returns undefined on systems without Debian's tools
 * @throws Error when the packages can't be fetched
 */
export async function fetchRedis(
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<FetchedRedis | undefined> {
  if (platform() !== 'linux' || !existsSync('/etc/debian_version')) return undefined;
  const cache = userCache(env);
  const place = join(cache, `redis-${releaseName()}-${arch()}`);
  if (!existsSync(place)) {
    log('Fetching Redis from the package archive of this system (1.5 MB, once)…');
    const draft = await mkdtemp(`${place}.`);
    try {
      await unpackInto(draft, signal);
      await publish(draft, place);
    } catch (error) {
      throw new Error(`Fetching Redis with apt-get failed: ${reasonOf(error)}`);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
  return { command: join(place, 'redis-server'), libraryPath: libraryPathOf(place) };
}

/** Names the release, so that an upgraded system doesn't run the old release's program. */
function releaseName(): string {
  const { ID = '', VERSION_ID = '' } = parseEnv(readFileSync('/etc/os-release', 'utf8'));
  return `${ID}${VERSION_ID}`.replaceAll(/[^\w.]/g, '') || 'debian';
}

async function unpackInto(folder: string, signal?: AbortSignal): Promise<void> {
  const work = join(folder, 'work');
  await mkdir(join(work, 'lists', 'partial'), { recursive: true });
  // Lists of our own: the system's may be missing (images) and can't be renewed without root.
  const settings = [`Dir::State::Lists=${join(work, 'lists')}`];
  settings.push('Dir::Cache::pkgcache=', 'Dir::Cache::srcpkgcache=');
  // Root's downloads would be handed to a user who can't enter this folder.
  if (process.getuid?.() === 0) settings.push('APT::Sandbox::User=root');
  const own = settings.flatMap((setting) => ['-o', setting]);
  const env = { ...process.env, LC_ALL: 'C' };
  const options = { cwd: work, timeout: TIMEOUT_MS, env, ...(signal && { signal }) };
  await run('apt-get', [...own, 'update'], options);
  const { stdout } = await run('apt-cache', [...own, 'depends', 'redis-tools'], options);
  const packages = ['redis-tools', ...(await missingOf(librariesIn(stdout)))];
  await run('apt-get', [...own, 'download', ...packages], options);
  for (const file of readdirSync(work).filter((name) => name.endsWith('.deb')))
    await run('dpkg-deb', ['-x', join(work, file), folder], options);
  // In redis-tools the checker is the server itself, which goes by the name it is called by.
  symlinkSync(join('usr', 'bin', 'redis-check-rdb'), join(folder, 'redis-server'));
  await rm(work, { recursive: true, force: true });
}

function librariesIn(depends: string): string[] {
  const names = [...depends.matchAll(/^ *Depends: ([^<\s]+)$/gm)].map((match) => match[1] ?? '');
  return names.filter((name) => name.startsWith('lib') && name !== 'libc6');
}

/** Libraries that the system has are used from there. */
async function missingOf(packages: string[]): Promise<string[]> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query's own placeholders.
  const { stdout } = await run('dpkg-query', ['-W', '-f', '${Package} ${db:Status-Status}\n']);
  const installed = new Set(stdout.split('\n'));
  return packages.filter((name) => !installed.has(`${name} installed`));
}

function libraryPathOf(place: string): string {
  const base = join(place, 'usr', 'lib');
  const entries = existsSync(base) ? readdirSync(base, { withFileTypes: true }) : [];
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(base, name));
  return [...folders, base].join(':');
}

function reasonOf(error: unknown): string {
  const { stderr, message } = error as Error & { stderr?: string };
  const line = stderr?.split('\n').find((text) => text.startsWith('E:'));
  return line ?? message.split('\n')[0] ?? 'unknown';
}
