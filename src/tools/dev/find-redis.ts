// Finds a Redis server to run: the one that the environment names, an installed one, or on Debian and Ubuntu one that
// is downloaded into a cache. npm has no package with a server.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { publish, userCache } from './cache-folder.ts';

const run = promisify(execFile);

/** The first major version with sharded publish and subscribe. */
const NEEDED_MAJOR = 7;

/** A server program for this machine. */
export interface RedisBinary {
  command: string;
  /** The folders of its libraries, if they aren't the system's. */
  libraryPath?: string;
  /** The version that it reports: `7.0.15`. */
  version: string;
}

/**
 * @param env `REDIS_SERVER_BIN` names the program; without it, `PATH` is searched for `redis-server` and
 *   `valkey-server`
 * @param log receives a line when a download begins, which takes seconds
 * @throws Error with the command that installs a server, when none is found
 */
export async function findRedis(
  env: NodeJS.ProcessEnv = process.env,
  log: (line: string) => void = console.log,
  signal?: AbortSignal,
): Promise<RedisBinary> {
  const named = env.REDIS_SERVER_BIN;
  const refused: string[] = [];
  for (const command of named ? [named] : onPath(['redis-server', 'valkey-server'], env.PATH)) {
    const binary = await probe(command);
    if (binary && isRecent(binary)) return binary;
    if (binary) refused.push(`${command} is too old (${binary.version})`);
  }
  if (named)
    throw new Error(`REDIS_SERVER_BIN names ${named}, which is not a Redis ${NEEDED_MAJOR} or later, or Valkey.`);
  const fetched = await fetchRedis(env, log, signal).catch((error: Error) => {
    refused.push(error.message);
    return undefined;
  });
  const binary = fetched && (await probe(join(fetched, 'redis-server'), libraryPathOf(fetched)));
  if (binary && isRecent(binary)) return binary;
  if (binary) refused.push(`the system's packages bring ${binary.version}, which is too old`);
  throw new Error([`Redis ${NEEDED_MAJOR} or later is needed. ${advice()}`, ...refused].join('\n  '));
}

function onPath(names: string[], path = ''): string[] {
  const folders = path.split(delimiter).filter(Boolean);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).filter(existsSync);
}

/** @returns undefined when the program does not run, or is not a Redis */
async function probe(command: string, libraryPath?: string): Promise<RedisBinary | undefined> {
  const binary = { command, ...(libraryPath && { libraryPath }), version: '' };
  try {
    const { stdout } = await run(command, ['--version'], { env: redisEnv(binary), timeout: 10_000 });
    const version = /\bv=(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
    return version ? { ...binary, version } : undefined;
  } catch {
    return undefined;
  }
}

export function redisEnv({ libraryPath }: RedisBinary): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', ...(libraryPath && { LD_LIBRARY_PATH: libraryPath }) };
}

function isRecent({ version }: RedisBinary): boolean {
  return Number.parseInt(version, 10) >= NEEDED_MAJOR;
}

function advice(): string {
  const other = ', or set REDIS_URL or REDIS_SERVER_BIN.';
  if (platform() === 'darwin') return `Install it with: brew install redis${other}`;
  if (platform() === 'win32')
    return `Run one with: docker run -d -p 6379:6379 redis:7, and set REDIS_URL=redis://localhost:6379.`;
  return `Install it with: sudo dnf install valkey (or apt-get install redis-server)${other}`;
}

const TIMEOUT_MS = 180_000;

/**
 * Downloads Redis from the package archive of a Debian system, which checks signatures, and unpacks it into a cache
 * folder. Nothing is installed, root's rights aren't needed, and no file of the system is changed.
 * @param env its `XDG_CACHE_HOME` names the cache
 * @param log receives a line when a download begins
 * @returns the folder with the program and the libraries that the system lacks; undefined without Debian's tools
 * @throws Error when the packages can't be downloaded
 */
async function fetchRedis(
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<string | undefined> {
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
  return place;
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
