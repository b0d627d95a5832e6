// A Redis server, a Redis Cluster and a PostgreSQL server for one test file, whose tests can stop, pause and kill them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { inject } from 'vitest';
import { applyMigrations } from '../../src/platform/postgres/migrations.ts';
import { redisEnv } from '../../src/tools/dev/find-redis.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import { type EmbeddedPostgres, startPostgres } from '../../src/tools/dev/postgres.ts';
import { type EmbeddedRedis, type RedisOptions, startRedis } from '../../src/tools/dev/redis.ts';
import { eventually } from './eventually.ts';
import { processes } from './proc.ts';

export type ServerControls = ReturnType<typeof controlsOf>;

/** @param restart starts the server again, with its port and its data */
function controlsOf<Server extends Pick<EmbeddedRedis, 'stop' | 'signal' | 'exited'>>(
  started: Server,
  restart: () => Promise<Server>,
) {
  let server = started;
  return {
    stop: () => server.stop(),
    async start() {
      await server.stop();
      server = await restart();
    },
    /** Sends SIGKILL, as the kernel does when memory runs out. */
    async kill() {
      server.signal('SIGKILL');
      await server.exited;
    },
    /** Stops the process by SIGSTOP: its connections stay open, and it answers nothing. */
    pause: (): void => server.signal('SIGSTOP'),
    resume: (): void => server.signal('SIGCONT'),
  };
}

export type OwnRedis = Awaited<ReturnType<typeof startOwnRedis>>;

/** The folder for a server's data, and its program; a test run provides defaults for both. */
type ServerLocation = { folder?: string; binary?: RedisOptions['binary'] };

/**
 * Starts a server, in about 15 ms. Its data survives until `dispose`, even if the server is killed.
 * @param options.settings additional settings of Redis
 * @param options.port by default a free port
 */
export async function startOwnRedis({
  folder = inject('temporaryFolder'),
  binary = inject('redisBinary'),
  settings = {},
  port: wanted,
}: ServerLocation & Pick<RedisOptions, 'settings' | 'port'> = {}) {
  const dataDir = mkdtempSync(join(folder, 'redis-'));
  const common = { dataDir, binary, persist: true, settings: { ...settings } };
  const server = await startRedis({ ...common, ...(wanted && { port: wanted }) });
  const { port, url } = server;
  const controls = controlsOf(server, () => startRedis({ ...common, port }));
  return {
    url,
    ...controls,
    /** Changes the settings of its next start. */
    configure: (changes: typeof settings) => void Object.assign(common.settings, changes),
    /** Stops the server and removes its data. */
    async dispose(): Promise<void> {
      await controls.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Starts a Sentinel, which requires a configuration file and rewrites it, for a primary that it calls `main`.
 * @param more further lines of the file
 */
export async function startSentinel(
  primaryPort: number,
  more: string[],
  { folder = inject('temporaryFolder'), binary = inject('redisBinary') }: ServerLocation = {},
) {
  const port = await freePort();
  const home = mkdtempSync(join(folder, 'sentinel-'));
  const file = join(home, 'sentinel.conf');
  const monitor = `sentinel monitor main 127.0.0.1 ${primaryPort} 1`;
  writeFileSync(file, [`port ${port}`, 'bind 127.0.0.1', `dir ${home}`, monitor, ...more].join('\n'));
  const env = { ...process.env, ...redisEnv(binary) };
  const child = spawn(binary.command, [file, '--sentinel'], { stdio: 'ignore', env });
  const ended = once(child, 'exit');
  await once(child, 'spawn');
  return {
    port,
    async stop(): Promise<void> {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export type OwnPostgres = Awaited<ReturnType<typeof startOwnPostgres>>;

/**
 * Starts a server in half a second, and migrates a database `quiz` in it. The data survives until `dispose`. Files
 * whose tests don't stop it share one server; see stores.ts.
 * @param parent the folder for its data; by default that of the test run
 */
export async function startOwnPostgres(parent = inject('temporaryFolder')) {
  const folder = mkdtempSync(join(parent, 'postgres-'));
  chmodSync(folder, 0o755);
  const dataDir = join(folder, 'data');
  let server: EmbeddedPostgres = await startPostgres({ dataDir, durable: false });
  const { port } = server;
  const databaseUrl = server.urlOf('quiz');
  let isKilled = false;
  const own = controlsOf(server, async () => {
    isKilled = false;
    server = await startPostgres({ dataDir, port, durable: false });
    return server;
  });
  const controls = {
    ...own,
    async kill() {
      isKilled = true;
      await own.kill();
    },
    pause() {
      own.pause();
      signalChildren(server.pid, 'SIGSTOP');
    },
    resume() {
      signalChildren(server.pid, 'SIGCONT');
      own.resume();
    },
  };

  /** Stops the server and removes its data. */
  async function dispose(): Promise<void> {
    controls.resume();
    // A killed server leaves a segment of shared memory, which only an orderly stop releases.
    if (isKilled) await controls.start();
    await controls.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }

  try {
    await applyMigrations(databaseUrl);
  } catch (error) {
    await dispose();
    throw error;
  }
  return { databaseUrl, ...controls, dispose };
}

/** Signals the processes of PostgreSQL's connections, some of which may end meanwhile. */
function signalChildren(parent: number, signal: NodeJS.Signals): void {
  for (const { pid } of processes().filter(({ parentPid }) => parentPid === parent))
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}

// A local Redis Cluster of three masters. The Redis client forms it, since redis-cli may not be installed.
// https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/

const SLOTS = 16_384;
const MASTERS = 3;

/**
 * The node timeout of a cluster without replicas. There is no failover to speed up, and a machine that stalls
 * for two seconds must not make the nodes take each other for failed.
 */
const NODE_TIMEOUT_MS = 15_000;

const CLUSTER_SETTINGS = {
  'cluster-enabled': 'yes',
  'cluster-announce-ip': '127.0.0.1',
  'cluster-node-timeout': 2_000,
  // By default a master delays a replica's synchronisation by five seconds.
  'repl-diskless-sync-delay': 0,
};

export type RedisCluster = Awaited<ReturnType<typeof startRedisCluster>>;

/**
 * Starts and forms the cluster, in about 3 s. It persists nothing.
 * @param options.replicas the number of replicas of each master
 */
export async function startRedisCluster({
  replicas = 0,
  folder: parent = inject('temporaryFolder'),
  binary = inject('redisBinary'),
}: ServerLocation & { replicas?: number } = {}) {
  const folder = mkdtempSync(join(parent, 'cluster-'));
  const start = (index: number, port?: number) =>
    startRedis({
      dataDir: join(folder, String(index)),
      binary,
      ...(port && { port }),
      persist: false,
      settings: CLUSTER_SETTINGS,
    });
  const servers = await Promise.all(Array.from({ length: MASTERS * (1 + replicas) }, (_, index) => start(index)));
  const dispose = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await form(servers);
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    /** The comma-separated addresses of the initial masters, for `REDIS_URL` with `REDIS_CLUSTER=true`. */
    url: servers
      .slice(0, MASTERS)
      .map(({ url }) => url)
      .join(),
    addresses: () => servers.map(({ url }) => url),
    /**
     * Kills the master of `key` by SIGKILL once its replica has received all writes. It then waits until the
     * replica has been promoted, and restarts the killed server as a replica.
     */
    async failOver(key: string): Promise<void> {
      const lost = await masterOf(servers[0] as EmbeddedRedis, key);
      const index = servers.findIndex(({ port }) => port === lost);
      await withRedis(servers[index]?.url as string, (master) => replicate(master, key));
      servers[index]?.signal('SIGKILL');
      await servers[index]?.exited;
      const witness = servers[index === 0 ? 1 : 0] as EmbeddedRedis;
      await eventually(async () => {
        if ((await masterOf(witness, key)) === lost) throw new Error('No replica took over.');
      });
      // The server is empty, so that it must not restart before the promotion: it would still be the master.
      const back = await start(index, lost);
      servers[index] = back;
      await withRedis(back.url, (replica) => expectInfo(replica, 'INFO', 'master_link_status:up'));
    },
    dispose,
  };
}

/** Makes the first three servers masters, and the others their replicas in turn. */
async function form(servers: EmbeddedRedis[]): Promise<void> {
  const clients = servers.map((server) => new Redis(server.url));
  const masters = clients.slice(0, MASTERS);
  try {
    await Promise.all(masters.map((client, index) => assignSlots(client, index)));
    for (const { port } of servers.slice(1)) await masters[0]?.call('CLUSTER', 'MEET', '127.0.0.1', port);
    for (const client of clients) {
      await expectInfo(client, 'CLUSTER', `cluster_known_nodes:${servers.length}`);
      await expectInfo(client, 'CLUSTER', 'cluster_state:ok');
    }
    await Promise.all(clients.slice(MASTERS).map((replica, i) => follow(replica, masters[i % MASTERS] as Redis)));
    if (servers.length > MASTERS) return;
    // The timeout is raised last, since forming the cluster would take as long.
    for (const client of clients) await client.call('CONFIG', 'SET', 'cluster-node-timeout', NODE_TIMEOUT_MS);
  } finally {
    for (const client of clients) client.disconnect();
  }
}

async function follow(replica: Redis, master: Redis): Promise<void> {
  await replica.call('CLUSTER', 'REPLICATE', String(await master.call('CLUSTER', 'MYID')));
  await expectInfo(replica, 'INFO', 'master_link_status:up');
}

async function expectInfo(client: Redis, of: 'CLUSTER' | 'INFO', line: string): Promise<void> {
  await eventually(async () => {
    const info = String(await (of === 'CLUSTER' ? client.call(of, 'INFO') : client.call(of)));
    if (!info.includes(line)) throw new Error(`The cluster got no ${line}:\n${info}`);
  });
}

async function assignSlots(client: Redis, index: number): Promise<void> {
  const bound = (of: number) => Math.floor((of * SLOTS) / MASTERS);
  await client.call('CLUSTER', 'ADDSLOTSRANGE', bound(index), bound(index + 1) - 1);
  // Masters with the same epoch would first have to resolve the conflict.
  await client.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
}

/** Waits until a replica has received all writes: a failover loses those that it lacks. */
async function replicate(master: Redis, key: string): Promise<void> {
  await master.set(`${key}:replicated`, 1, 'EX', 1);
  if ((await master.wait(1, 20_000)) < 1) throw new Error('No replica follows.');
}

/** @returns the port of the master of `key` according to `witness` */
async function masterOf(witness: EmbeddedRedis, key: string): Promise<number> {
  return withRedis(witness.url, async (client) => {
    const slot = Number(await client.call('CLUSTER', 'KEYSLOT', key));
    const ranges = (await client.call('CLUSTER', 'SLOTS')) as [number, number, [string, number]][];
    const range = ranges.find(([first, last]) => first <= slot && slot <= last);
    return range?.[2][1] as number;
  });
}

type Timeouts = { maxRetriesPerRequest?: number; commandTimeout?: number };

export async function withRedis<T>(url: string, act: (client: Redis) => Promise<T>, timeouts: Timeouts = {}) {
  const client = new Redis(url, { ...timeouts });
  client.on('error', () => {});
  try {
    return await act(client);
  } finally {
    client.disconnect();
  }
}
