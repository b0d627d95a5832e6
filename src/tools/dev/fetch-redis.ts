// Downloads Redis from the package archive of a Debian system, which checks signatures, and unpacks it into a cache
// folder. Nothing is installed, root's rights aren't needed, and no file of the system is changed.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { publish, userCache } from './cache-folder.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 180_000;

/** The unpacked program, and the folders of the libraries that the system lacks. */
export interface FetchedRedis {
  command: string;
  libraryPath: string;
}

/**
 * @param env its `XDG_CACHE_HOME` names the cache
 * @param log receives a line when a download begins
 * @param signal aborts the download
 * @returns undefined on systems without Debian's tools
 * @throws Error when the packages can't be downloaded
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

/** @returns the name of the system's release, so that an upgraded system does not run the old release's program */
function releaseName(): string {
  const { ID = '', VERSION_ID = '' } = parseEnv(readFileSync('/etc/os-release', 'utf8'));
  return `${ID}${VERSION_ID}`.replaceAll(/[^\w.]/g, '') || 'debian';
}

async function unpackInto(folder: string, signal?: AbortSignal): Promise<void> {
  const work = join(folder, 'work');
  await mkdir(join(work, 'lists', 'partial'), { recursive: true });
  // The system's package lists may be missing, as in images, and only root can update them.
  const settings = [`Dir::State::Lists=${join(work, 'lists')}`];
  settings.push('Dir::Cache::pkgcache=', 'Dir::Cache::srcpkgcache=');
  // As root, apt-get would download as the user _apt, who can't enter this folder.
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
  // redis-check-rdb in redis-tools is the server's program, which behaves according to the name that it is called by.
  symlinkSync(join('usr', 'bin', 'redis-check-rdb'), join(folder, 'redis-server'));
  await rm(work, { recursive: true, force: true });
}

function librariesIn(depends: string): string[] {
  const names = [...depends.matchAll(/^ *Depends: ([^<\s]+)$/gm)].map((match) => match[1] ?? '');
  return names.filter((name) => name.startsWith('lib') && name !== 'libc6');
}

/** @returns the packages that are not installed; the program uses the installed ones from the system */
async function missingOf(packages: string[]): Promise<string[]> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query's own placeholders.
  const { stdout } = await run('dpkg-query', ['-W', '-f', '${Package} ${db:Status-Status}\n']);
  const installed = new Set(stdout.split('\n'));
  return packages.filter((name) => !installed.has(`${name} installed`));
}

function libraryPathOf(place: string): string {
  const base = join(place, 'usr', 'lib');
  const entries = existsSync(base) ? readdirSync(base, { withFileTypes: true }) : [];
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(base, name));
  return [...folders, base].join(':');
}

function reasonOf(error: unknown): string {
  const { stderr, message } = error as Error & { stderr?: string };
  const line = stderr?.split('\n').find((text) => text.startsWith('E:'));
  return line ?? message.split('\n')[0] ?? 'unknown';
}
