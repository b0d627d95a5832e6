// Redis connections, one factory for a single node and a cluster. Commands are bounded in time so
// that an outage is a 503 within two seconds; short breaks are bridged by ioredis' offline queue.
import { Cluster, Command, Redis } from 'ioredis';
import { clusterAddress, isSentinelUrl, sentinelAddress } from '../redis-address.ts';
import type { Logger } from './logger.ts';
import { waitPatiently } from './patient-timeout.ts';
import { writeTogether } from './write-together.ts';

waitPatiently();

export type RedisClient = Redis | Cluster;

/** What a connection is for; it decides how long a command may wait. */
export type RedisRole = 'commands' | 'subscriber' | 'jobs';

/** How long a command may take, waiting for a reconnection included, while our own event loop turns. */
const COMMAND_TIMEOUT_MS = 1500;
const MAX_RECONNECT_DELAY_MS = 500;
const REJOIN_EVERY_MS = 3000;

/**
 * A connection that owes an answer for so long is broken and made anew. The kernel would go on for a
 * quarter of an hour when the other machine has lost its power and can't even say so.
 */
const SILENCE_MS = 2500;

/**
 * @param options.url one server's address, a cluster's nodes, comma-separated, or Sentinels
 * @param options.cluster whether the address names a Redis Cluster
 * @param role `commands` fail after 1.5 s; those of `subscriber` and `jobs` outwait an outage
 */
export function connectRedis(
  options: { url: string; cluster: boolean },
  role: RedisRole,
  logger: Logger,
): RedisClient {
  const redisOptions = {
    maxRetriesPerRequest: null,
    connectTimeout: 2000,
    keepAlive: 10_000,
    socketTimeout: SILENCE_MS,
    // Left to those who subscribe: a refusal that nobody catches would end the process.
    autoResubscribe: false,
    ...(role === 'commands' ? { commandTimeout: COMMAND_TIMEOUT_MS } : {}),
  };
  const retry = (attempt: number) =>
    Math.min(50 * 2 ** Math.min(attempt, 4), MAX_RECONNECT_DELAY_MS);
  const alone = { retryStrategy: retry, reconnectOnError: leaveDemoted() };
  const client = options.cluster
    ? connectCluster(options.url, redisOptions, role, retry)
    : isSentinelUrl(options.url)
      ? new Redis({ ...sentinelAddress(options.url), ...redisOptions, ...alone })
      : new Redis(options.url, { ...redisOptions, ...alone });
  writeTogether(client);
  logOutages(client, role, logger);
  return client;
}

function connectCluster(
  url: string,
  redisOptions: object,
  role: RedisRole,
  clusterRetryStrategy: (attempt: number) => number,
): Cluster {
  const nodes = url.split(',').map((node) => node.trim());
  return new Cluster(nodes, {
    redisOptions: { ...redisOptions, ...clusterAddress(nodes) },
    shardedSubscribers: role === 'subscriber',
    clusterRetryStrategy,
    slotsRefreshTimeout: 2000,
    // Nodes keep their names: a certificate says those, not the addresses behind them.
    dnsLookup: (name, callback) => callback(null, name),
  } as ConstructorParameters<typeof Cluster>[1]);
}

/**
 * What a failover has made a replica may keep its connections, while the address leads to another server
 * by now. Tried so often at most: a Redis that is read-only for good is not reconnected to without pause.
 */
function leaveDemoted(): (error: Error) => boolean {
  let leftAt = Number.NEGATIVE_INFINITY;
  return ({ message }) => {
    if (!message.startsWith('READONLY')) return false;
    if (performance.now() - leftAt < REJOIN_EVERY_MS) return false;
    leftAt = performance.now();
    return true;
  };
}

/** @returns a connection to each server that takes writes, once they are known: one, but on a cluster */
export async function mastersOf(client: RedisClient): Promise<Redis[]> {
  if (!(client instanceof Cluster)) return [client];
  if (client.status !== 'ready') await client.ping();
  return client.nodes('master');
}

/**
 * @param keyOf names a key of each item
 * @returns the items by the connection that leads to their key's server: one, but on a cluster. There
 *   an item's may have changed meanwhile, and the items of which nobody knows are with `redis` itself
 */
export function byServer<Item>(
  redis: RedisClient,
  items: Item[],
  keyOf: (item: Item) => string,
): Map<RedisClient, Item[]> {
  if (!(redis instanceof Cluster)) return new Map([[redis, items]]);
  const masters = new Map(
    redis.nodes('master').map((node) => [`${node.options.host}:${node.options.port}`, node]),
  );
  return Map.groupBy(items, (item) => {
    const [master] = redis.slots[new Command('GET', [keyOf(item)]).getSlot()] ?? [];
    return masters.get(master ?? '') ?? redis;
  });
}

/** One line when the connection is lost and one when it is back, not one an attempt. */
function logOutages(client: RedisClient, role: RedisRole, logger: Logger): void {
  let down = false;
  client.on('error', (error: Error) => {
    if (!down) logger.warn({ role, err: error }, 'Redis connection lost');
    down = true;
  });
  client.on('ready', () => {
    if (down) logger.info({ role }, 'Redis connection is back');
    down = false;
  });
}
