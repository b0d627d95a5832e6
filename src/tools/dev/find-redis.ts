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
 *   `valkey-server`. `XDG_CACHE_HOME` names the folder for a download
 * @param log receives a line when a download begins, which takes seconds
 * @throws Error with the command that installs a server, when none is found
 */
export async function findRedis(env: NodeJS.ProcessEnv = process.env, log = console.log): Promise<RedisBinary> {
  const named = env.REDIS_SERVER_BIN;
  const refused: string[] = [];
  for (const command of named ? [named] : onPath(['redis-server', 'valkey-server'], env.PATH)) {
    const binary = await probe(command);
    if (binary && isRecent(binary)) return binary;
    if (binary) refused.push(`${command} is too old (${binary.version})`);
  }
  if (named)
    throw new Error(`REDIS_SERVER_BIN names ${named}, which is not a Redis ${NEEDED_MAJOR} or later, or Valkey.`);
  const fetched = await fetchRedis(env, log).catch((error: Error) => {
    refused.push(error.message);
    return undefined;
  });
  const binary = fetched && (await probe(join(fetched, 'redis-server'), libraryPathOf(fetched)));
  if (binary && isRecent(binary)) return binary;
  if (binary) refused.push(`the system's packages bring ${binary.version}, which is too old`);
  const install = platform() === 'darwin' ? 'brew install redis' : 'sudo dnf install valkey (or apt-get install redis)';
  const advice = `Install it with: ${install}, or set REDIS_URL or REDIS_SERVER_BIN.`;
  throw new Error([`Redis ${NEEDED_MAJOR} or later is needed. ${advice}`, ...refused].join('\n  '));
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

const TIMEOUT_MS = 180_000;

/**
 * Downloads Redis from the package archive of a Debian system, which checks signatures, and unpacks it into a cache
 * folder. Nothing is installed, root's rights aren't needed, and no file of the system is changed.
 * @returns the folder with the program and the libraries that the system lacks; undefined without Debian's tools
 * @throws Error when the packages can't be downloaded
 */
async function fetchRedis(env: NodeJS.ProcessEnv, log: (line: string) => void): Promise<string | undefined> {
  if (!existsSync('/etc/debian_version')) return undefined;
  // An upgraded system does not run the program of the old release.
  const { ID, VERSION_ID = '' } = parseEnv(readFileSync('/etc/os-release', 'utf8'));
  const place = join(userCache(env), `redis-${ID}${VERSION_ID}-${arch()}`);
  if (!existsSync(place)) {
    log('Fetching Redis from the package archive of this system (1.5 MB, once)…');
    const draft = await mkdtemp(`${place}.`);
    try {
      await unpackInto(draft);
      await publish(draft, place);
    } catch (error) {
      throw new Error(`Fetching Redis with apt-get failed: ${reasonOf(error)}`);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
  return place;
}

async function unpackInto(folder: string): Promise<void> {
  const work = join(folder, 'work');
  const [lists, archives] = [join(work, 'lists'), join(work, 'archives')];
  for (const each of [lists, archives]) await mkdir(join(each, 'partial'), { recursive: true });
  // The system's package lists may be missing, as in images, and only root can update them. Only root can take the
  // system's locks too, and as root, apt-get would download as the user _apt, who can't enter this folder.
  const settings = [`Dir::State::Lists=${lists}`, `Dir::Cache=${work}`, 'Debug::NoLocking=true'];
  settings.push('APT::Sandbox::User=root');
  const own = settings.flatMap((setting) => ['-o', setting]);
  const options = { timeout: TIMEOUT_MS, env: { ...process.env, LC_ALL: 'C' } };
  await run('apt-get', [...own, 'update'], options);
  // This downloads redis-tools, also where it is installed, and the libraries that the system lacks.
  const download = ['install', '--download-only', '--reinstall', '--no-install-recommends', '--yes', 'redis-tools'];
  await run('apt-get', [...own, ...download], options);
  for (const file of readdirSync(archives).filter((name) => name.endsWith('.deb')))
    await run('dpkg-deb', ['-x', join(archives, file), folder], options);
  // redis-check-rdb in redis-tools is the server's program, which behaves according to the name that it is called by.
  symlinkSync(join('usr', 'bin', 'redis-check-rdb'), join(folder, 'redis-server'));
  await rm(work, { recursive: true, force: true });
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
