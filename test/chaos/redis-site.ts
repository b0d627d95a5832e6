// Redis as a chaos run has it: one server, a primary with its replica under a Sentinel, or a cluster
// of three masters and three replicas; a small proxy before each server of the first two.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type RedisBinary, redisEnv } from '../../src/local-stack/find-redis.ts';
import { freePort } from '../../src/local-stack/ports.ts';
import type { RedisOptions } from '../../src/local-stack/redis.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnRedis, startOwnRedis } from '../support/own-redis.ts';
import { startRedisCluster } from '../support/redis-cluster.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import type { Topology } from './schedule.ts';

export interface RedisSite {
  topology: Topology;
  /** For the service: through the proxies. */
  url: string;
  /** For the run's own hands: past them. */
  directUrl: string;
  /** Of a cluster, none. */
  proxies: TcpProxy[];
  /** Without so many replicas a primary takes no writes. */
  minReplicas: number;
  /** The one server, where there is one. */
  server?: OwnRedis;
  /** Does something with every server that can be reached. */
  each(act: (client: Redis) => Promise<unknown>): Promise<void>;
  /**
   * Of a primary and its replica: cuts the replica off for a while, then loses the primary with what
   * was written meanwhile, and waits until the replica has its place, and a replica.
   */
  loseWrites?(forMs: number): Promise<void>;
  /** Of a cluster: loses the master of a key to its replica. */
  loseMaster?(key: string): Promise<void>;
  stop(): Promise<void>;
}

interface Options {
  folder: string;
  binary: RedisBinary;
  /** A replica has taken its primary's place, by Sentinel's word; and now has one itself, and takes writes. */
  onFailover(): void;
}

export function startRedisSite(topology: Topology, options: Options): Promise<RedisSite> {
  return { single: startSingle, sentinel: startSentinel, cluster: startCluster }[topology](options);
}

/** Opens a connection for one errand. */
async function withClient<T>(url: string, act: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url, { maxRetriesPerRequest: 3, commandTimeout: 5000 });
  client.on('error', () => {});
  try {
    return await act(client);
  } finally {
    client.disconnect();
  }
}

/** A server that is away has nothing done with it. */
async function withEach(urls: string[], act: (client: Redis) => Promise<unknown>): Promise<void> {
  await Promise.allSettled(urls.map((url) => withClient(url, act)));
}

const portOf = (url: string) => Number(new URL(url).port);
const proxyOf = (url: string) => startTcpProxy({ host: '127.0.0.1', port: portOf(url) });

async function startSingle(options: Options): Promise<RedisSite> {
  const server = await startOwnRedis(options);
  const proxy = await proxyOf(server.url);
  return {
    topology: 'single',
    url: proxy.url('redis'),
    directUrl: server.url,
    proxies: [proxy],
    minReplicas: 0,
    server,
    each: (act) => withEach([server.url], act),
    async stop() {
      await proxy.stop();
      await server.dispose();
    },
  };
}

/** As production has it. */
const MIN_REPLICAS = 1;
const MAX_LAG_S = 5;

/** A server that is known to everybody by its proxy's address, and lies at another. */
interface Node {
  server: OwnRedis;
  proxy: TcpProxy;
}

async function startNode({ folder, binary }: Options, primary?: TcpProxy): Promise<Node> {
  const port = await freePort();
  const proxy = await startTcpProxy({ host: '127.0.0.1', port });
  const settings: RedisOptions['settings'] = {
    'replica-announce-ip': '127.0.0.1',
    'replica-announce-port': proxy.port,
    'repl-diskless-sync-delay': 0,
    'min-replicas-to-write': MIN_REPLICAS,
    'min-replicas-max-lag': MAX_LAG_S,
    ...(primary ? { replicaof: ['127.0.0.1', String(primary.port)] } : {}),
  };
  const server = await startOwnRedis({ folder, binary, settings, port });
  return { server, proxy };
}

/** Tells of each failover, also of one that nobody has planned: on a machine that is too busy a primary
 * looks dead. */
async function followFailovers(sentinelPort: number, onFailover: () => void) {
  const client = new Redis(sentinelPort, '127.0.0.1', { maxRetriesPerRequest: null });
  client.on('error', () => {});
  client.on('message', onFailover);
  await client.subscribe('+switch-master');
  return () => client.disconnect();
}

async function startSentinel(options: Options): Promise<RedisSite> {
  const first = await startNode(options);
  const nodes = [first, await startNode(options, first.proxy)];
  const urls = nodes.map(({ server }) => server.url);
  const sentinel = await spawnSentinel(options, first.proxy.port);
  const url = `redis+sentinel://127.0.0.1:${sentinel.port}/main`;

  const primaryPort = () =>
    withClient(`redis://127.0.0.1:${sentinel.port}`, async (client) => {
      const reply = (await client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'main')) as string[];
      return Number(reply[1]);
    });
  const replicates = () =>
    eventually(
      async () => {
        const port = await primaryPort();
        const primary = nodes.find(({ proxy }) => proxy.port === port) as Node;
        const info = await withClient(primary.server.url, (client) => client.info('replication'));
        if (!/role:master[\s\S]*state=online/.test(info)) throw new Error(`No replica:\n${info}`);
        await withClient(`redis://127.0.0.1:${sentinel.port}`, async (client) => {
          const known = (await client.call('SENTINEL', 'REPLICAS', 'main')) as string[][];
          const text = known.flat().join(' ');
          if (!/ flags slave /.test(text) || !/master-link-status ok/.test(text))
            throw new Error('The Sentinel does not know the replica yet.');
        });
        return primary;
      },
      { timeoutMs: 60_000 },
    );

  await replicates();
  const unfollow = await followFailovers(sentinel.port, () => {
    options.onFailover();
    replicates().then(options.onFailover, () => {});
  });
  return {
    topology: 'sentinel',
    url,
    directUrl: url,
    proxies: nodes.map(({ proxy }) => proxy),
    minReplicas: MIN_REPLICAS,
    each: (act) => withEach(urls, act),
    async loseWrites(forMs) {
      const primary = await replicates();
      const ports = await withClient(primary.server.url, replicaPorts);
      primary.proxy.stall((port) => port !== undefined && ports.has(port));
      await new Promise((resolve) => setTimeout(resolve, forMs));
      await primary.server.kill();
      // What is on its way to the replica is lost as well.
      primary.proxy.cut();
      primary.proxy.unstall();
      await eventually(
        async () => {
          if ((await primaryPort()) === primary.proxy.port) throw new Error('No failover.');
        },
        { timeoutMs: 60_000 },
      );
      const heir = nodes.find((node) => node !== primary) as Node;
      // What the lost one still has on its disk gives way to what its heir has.
      primary.server.configure({ replicaof: ['127.0.0.1', String(heir.proxy.port)] });
      await primary.server.start();
      await replicates();
    },
    async stop() {
      unfollow();
      await sentinel.stop();
      await Promise.all(nodes.map(({ proxy }) => proxy.stop()));
      await Promise.all(nodes.map(({ server }) => server.dispose()));
    },
  };
}

/** @returns the ports from which its replicas are connected to a primary */
async function replicaPorts(primary: Redis): Promise<Set<number>> {
  const list = String(await primary.call('CLIENT', 'LIST', 'TYPE', 'replica'));
  return new Set([...list.matchAll(/ addr=[^ ]*:(\d+)/g)].map(([, port]) => Number(port)));
}

async function spawnSentinel({ folder, binary }: Options, primaryPort: number) {
  const port = await freePort();
  const home = mkdtempSync(join(folder, 'sentinel-'));
  const file = join(home, 'sentinel.conf');
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${home}`,
    `sentinel monitor main 127.0.0.1 ${primaryPort} 1`,
    'sentinel down-after-milliseconds main 1500',
    'sentinel failover-timeout main 3000',
  ];
  writeFileSync(file, lines.join('\n'));
  const child = spawn(binary.command, [file, '--sentinel'], {
    stdio: 'ignore',
    env: { ...process.env, ...redisEnv(binary) },
  });
  await once(child, 'spawn');
  return {
    port,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function startCluster({ folder, binary }: Options): Promise<RedisSite> {
  const cluster = await startRedisCluster({ replicas: 1, folder, binary });
  return {
    topology: 'cluster',
    url: cluster.nodes,
    directUrl: cluster.nodes,
    proxies: [],
    minReplicas: 0,
    each: (act) => withEach(cluster.addresses(), act),
    loseMaster: (key) => cluster.failOver(key),
    stop: () => cluster.stop(),
  };
}
