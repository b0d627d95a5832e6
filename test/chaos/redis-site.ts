// The Redis of a chaos run: one server, a primary and a replica under a Sentinel, or a cluster of three
// masters and three replicas. A small proxy stands in front of each server, except in the cluster.
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { RedisBinary } from '../../src/tools/dev/find-redis.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import type { RedisOptions } from '../../src/tools/dev/redis.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnRedis, startOwnRedis, startRedisCluster, startSentinel, withRedis } from '../support/own-servers.ts';
import { startProxyOf, startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import type { Topology } from './schedule.ts';

export interface RedisSite {
  /** The address for the service, through the proxies. */
  url: string;
  /** The address for the run's own commands, which bypass the proxies. */
  directUrl: string;
  /** The proxies; a cluster has none. */
  proxies: TcpProxy[];
  /** The setting min-replicas-to-write: a primary with fewer replicas refuses writes. */
  minReplicas: number;
  /** The server, if there is only one. */
  server?: OwnRedis;
  /** Runs a function on every server. A server that does not answer in time is tried again. */
  each(act: (client: Redis) => Promise<unknown>): Promise<void>;
  /**
   * Only with a Sentinel: disconnects the replica for a while, then loses the primary with everything that was
   * written meanwhile, and waits until the replica is the primary and has a replica of its own.
   */
  loseWrites?(forMs: number): Promise<void>;
  /** Only on a cluster: loses the master of a key, so that its replica takes over. */
  loseMaster?(key: string): Promise<void>;
  stop(): Promise<void>;
}

interface Options {
  folder: string;
  binary: RedisBinary;
  /** Is called after each failover, and again when the new primary has a replica and accepts writes. */
  onFailover(): void;
}

export function startRedisSite(topology: Topology, options: Options): Promise<RedisSite> {
  return { single: startSingle, sentinel: startSentinelSite, cluster: startCluster }[topology](options);
}

/** Opens a connection for one command. */
const withClient = <T>(url: string, act: (client: Redis) => Promise<T>) =>
  withRedis(url, act, { maxRetriesPerRequest: 3, commandTimeout: 5000 });

async function withEach(urls: string[], act: (client: Redis) => Promise<unknown>): Promise<void> {
  await Promise.all(urls.map((url) => eventually(() => withClient(url, act))));
}

async function startSingle(options: Options): Promise<RedisSite> {
  const server = await startOwnRedis(options);
  const { proxy, url } = await startProxyOf(server.url);
  return {
    url,
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

/** The settings of the runbook for production. */
const MIN_REPLICAS = 1;
const MAX_LAG_S = 5;
/** A failover may take so long on a busy machine. */
const SLOW = { timeoutMs: 60_000 };

/** Starts a server that announces its proxy's address instead of its own. */
async function startNode({ folder, binary }: Options, primary?: TcpProxy) {
  const port = await freePort();
  const proxy = await startTcpProxy({ host: '127.0.0.1', port });
  const settings: RedisOptions['settings'] = {
    'replica-announce-ip': '127.0.0.1',
    'replica-announce-port': proxy.port,
    'repl-diskless-sync-delay': 0,
    'min-replicas-to-write': MIN_REPLICAS,
    'min-replicas-max-lag': MAX_LAG_S,
    ...(primary && { replicaof: ['127.0.0.1', String(primary.port)] }),
  };
  const server = await startOwnRedis({ folder, binary, settings, port });
  return { server, proxy };
}

async function startSentinelSite(options: Options): Promise<RedisSite> {
  const first = await startNode(options);
  const nodes = [first, await startNode(options, first.proxy)];
  const urls = nodes.map(({ server }) => server.url);
  const patience = ['sentinel down-after-milliseconds main 1500', 'sentinel failover-timeout main 3000'];
  const sentinel = await startSentinel(first.proxy.port, patience, options);
  const url = `redis+sentinel://127.0.0.1:${sentinel.port}/main`;

  /** @returns what the Sentinel says of the servers */
  const ask = (what: string) =>
    withClient(`redis://127.0.0.1:${sentinel.port}`, async (client) =>
      [await client.call('SENTINEL', what, 'main')].flat(Number.POSITIVE_INFINITY),
    );
  const primaryPort = async () => Number((await ask('GET-MASTER-ADDR-BY-NAME'))[1]);
  const replicates = () =>
    eventually(async () => {
      const port = await primaryPort();
      const primary = nodes.find(({ proxy }) => proxy.port === port) ?? first;
      const info = await withClient(primary.server.url, (client) => client.info('replication'));
      if (!/role:master[\s\S]*state=online/.test(info)) throw new Error(`No replica:\n${info}`);
      const known = (await ask('REPLICAS')).join(' ');
      if (!/ flags slave /.test(known) || !/master-link-status ok/.test(known))
        throw new Error('The Sentinel does not know the replica yet.');
      return primary;
    }, SLOW);

  await replicates();
  // Each failover is reported, planned or not: on a busy machine a primary can look dead.
  const follower = new Redis(sentinel.port, '127.0.0.1', { maxRetriesPerRequest: null });
  follower.on('error', () => {});
  follower.on('message', () => {
    options.onFailover();
    replicates().then(options.onFailover, () => {});
  });
  await follower.subscribe('+switch-master');
  return {
    url,
    directUrl: url,
    proxies: nodes.map(({ proxy }) => proxy),
    minReplicas: MIN_REPLICAS,
    each: (act) => withEach(urls, act),
    async loseWrites(forMs) {
      const primary = await replicates();
      const ports = await withClient(primary.server.url, replicaPorts);
      primary.proxy.stall((port) => port !== undefined && ports.has(port));
      await sleep(forMs);
      await primary.server.kill();
      // Writes on their way to the replica are lost as well.
      primary.proxy.cut();
      primary.proxy.unstall();
      await eventually(async () => {
        if ((await primaryPort()) === primary.proxy.port) throw new Error('No failover.');
      }, SLOW);
      const heir = nodes.find((node) => node !== primary) ?? first;
      // The lost server comes back as a replica, and its data on disk is replaced.
      primary.server.configure({ replicaof: ['127.0.0.1', String(heir.proxy.port)] });
      await primary.server.start();
      await replicates();
    },
    async stop() {
      follower.disconnect();
      await sentinel.stop();
      await Promise.all(nodes.map(({ proxy }) => proxy.stop()));
      await Promise.all(nodes.map(({ server }) => server.dispose()));
    },
  };
}

/** @returns the ports from which replicas are connected to a primary */
async function replicaPorts(primary: Redis): Promise<Set<number>> {
  const list = String(await primary.call('CLIENT', 'LIST', 'TYPE', 'replica'));
  return new Set([...list.matchAll(/ addr=[^ ]*:(\d+)/g)].map(([, port]) => Number(port)));
}

async function startCluster({ folder, binary }: Options): Promise<RedisSite> {
  const cluster = await startRedisCluster({ replicas: 1, folder, binary });
  return {
    url: cluster.url,
    directUrl: cluster.url,
    proxies: [],
    minReplicas: 0,
    each: (act) => withEach(cluster.addresses(), act),
    loseMaster: (key) => cluster.failOver(key),
    stop: cluster.dispose,
  };
}
