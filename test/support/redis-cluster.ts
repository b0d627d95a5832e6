// A local Redis Cluster of three masters. The Redis client forms it, since redis-cli may not be installed.
// https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { inject } from 'vitest';
import { type EmbeddedRedis, startRedis } from '../../src/tools/dev/redis.ts';
import { eventually } from './eventually.ts';
import type { ServerLocation } from './own-servers.ts';

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

export interface RedisCluster {
  /** The comma-separated addresses of the initial masters, for `REDIS_URL` with `REDIS_CLUSTER=true`. */
  readonly nodes: string;
  /** @returns the addresses of all servers */
  addresses(): string[];
  /**
   * Kills the master of `key` by SIGKILL once its replica has received all writes. It then waits until the
   * replica has been promoted, and restarts the killed server as a replica.
   */
  failOver(key: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts and forms the cluster, in about 3 s. It persists nothing.
 * @param options.replicas the number of replicas of each master
 */
export async function startRedisCluster({
  replicas = 0,
  folder: parent = inject('temporaryFolder'),
  binary = inject('redisBinary'),
}: ServerLocation & { replicas?: number } = {}): Promise<RedisCluster> {
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
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await form(servers);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    nodes: servers
      .slice(0, MASTERS)
      .map((server) => server.url)
      .join(','),
    addresses: () => servers.map((server) => server.url),
    async failOver(key) {
      const lost = await masterOf(servers[0] as EmbeddedRedis, key);
      const index = servers.findIndex(({ port }) => port === lost);
      await withClient(servers[index] as EmbeddedRedis, (master) => replicate(master, key));
      servers[index]?.signal('SIGKILL');
      await servers[index]?.exited;
      const witness = servers[index === 0 ? 1 : 0] as EmbeddedRedis;
      await eventually(
        async () => {
          if ((await masterOf(witness, key)) === lost) throw new Error('No replica took over.');
        },
        { timeoutMs: 20_000 },
      );
      // The server is empty, so that it must not restart before the promotion: it would still be the master.
      const back = await start(index, lost);
      servers[index] = back;
      await withClient(back, (replica) => expectInfo(replica, 'INFO', 'master_link_status:up'));
    },
    stop,
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
  await eventually(
    async () => {
      const info = String(await (of === 'CLUSTER' ? client.call(of, 'INFO') : client.call(of)));
      if (!info.includes(line)) throw new Error(`The cluster got no ${line}:\n${info}`);
    },
    { timeoutMs: 20_000 },
  );
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
  const replicas = await master.wait(1, 20_000);
  if (replicas < 1) throw new Error('No replica follows.');
}

/** @returns the port of the master of `key` according to `witness` */
async function masterOf(witness: EmbeddedRedis, key: string): Promise<number> {
  return withClient(witness, async (client) => {
    const slot = Number(await client.call('CLUSTER', 'KEYSLOT', key));
    const ranges = (await client.call('CLUSTER', 'SLOTS')) as [number, number, [string, number]][];
    const range = ranges.find(([first, last]) => first <= slot && slot <= last);
    return range?.[2][1] as number;
  });
}

async function withClient<T>({ url }: EmbeddedRedis, use: (client: Redis) => Promise<T>) {
  const client = new Redis(url);
  try {
    return await use(client);
  } finally {
    client.disconnect();
  }
}
