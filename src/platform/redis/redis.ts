// Connects to Redis: to a single server, to the primary that Sentinels name, or to a cluster. Commands have a timeout,
// so that an outage becomes a 503 within two seconds. All deadlines are by the server's clock, which this file
// estimates.
import { Cluster, Command, Redis } from 'ioredis';
import { STORE_TIMEOUT_MS } from '../../config.ts';
import { clusterAddress, isSentinelUrl, sentinelAddress } from '../../redis-address.ts';
import type { Logger } from '../observability/logger.ts';
import { raisedBy, withTimeout } from '../outages/outage.ts';

export type RedisClient = Redis | Cluster;

/** Commands of the first two roles time out, those of the others wait until an outage is over. */
type RedisRole = 'commands' | 'queues' | 'subscriber' | 'jobs';

const MAX_RECONNECT_DELAY_MS = 500;
/** Pause between two reconnects because of a demoted primary. */
const LEAVE_DEMOTED_EVERY_MS = 3000;
/** A connection without any reply is dropped after so many timeouts; the kernel would retransmit for 15 minutes. */
const SOCKET_TIMEOUTS = 2.5;
/** The socket timeout of the connections on which BullMQ's workers wait for jobs, up to 10 s with one command. */
const JOBS_SOCKET_TIMEOUT_MS = 12_000;

/**
 * @param options.url one server's address, a cluster's nodes, comma-separated, or Sentinels
 * @param options.timeoutMs a command fails after this many ms, time spent on a reconnect included
 */
export function connectRedis(
  options: { url: string; cluster: boolean; timeoutMs?: number },
  role: RedisRole,
  logger: Logger,
  connectionName?: string,
): RedisClient {
  const { timeoutMs = STORE_TIMEOUT_MS } = options;
  const redisOptions = {
    ...(connectionName && { connectionName }),
    maxRetriesPerRequest: null,
    connectTimeout: 2000,
    keepAlive: 10_000,
    socketTimeout: role === 'jobs' ? JOBS_SOCKET_TIMEOUT_MS : Math.round(SOCKET_TIMEOUTS * timeoutMs),
    // `createChannels` resubscribes, since ioredis does not catch a refusal, which would end the process.
    autoResubscribe: false,
    ...(role === 'commands' || role === 'queues' ? { commandTimeout: timeoutMs } : {}),
  };
  const connectTo = options.cluster ? connectCluster : connectSingle;
  const client = connectTo(options.url, redisOptions, role);
  logConnection(client, role, logger);
  return client;
}

const retryStrategy = (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 4), MAX_RECONNECT_DELAY_MS);

function connectSingle(url: string, redisOptions: object): Redis {
  const options = { ...redisOptions, retryStrategy, reconnectOnError: leaveDemoted() };
  if (!isSentinelUrl(url)) return new BatchingRedis(url, options);
  return new BatchingRedis({ ...sentinelAddress(url), ...options });
}

/**
 * Writes the commands of one turn of the event loop together. ioredis' `enableAutoPipelining` does so too, but makes
 * garbage that costs a tenth of a request (test/bench/tried.md), and a command waits for the replies of earlier turns.
 */
class BatchingRedis extends Redis {
  #isCorked = false;

  /** @param pipeline collects the commands of a transaction, which are one write in any case */
  override sendCommand(command: Command, pipeline?: Parameters<Redis['sendCommand']>[1]): unknown {
    const { stream } = this;
    if (!pipeline && !this.#isCorked && stream) {
      this.#isCorked = true;
      stream.cork();
      setImmediate(() => {
        this.#isCorked = false;
        stream.uncork();
      });
    }
    return super.sendCommand(command, pipeline);
  }
}

function connectCluster(url: string, redisOptions: object, role: RedisRole): Cluster {
  const nodes = url.split(',').map((node) => node.trim());
  return new Cluster(nodes, {
    redisOptions: { ...redisOptions, ...clusterAddress(nodes) },
    shardedSubscribers: role === 'subscriber',
    clusterRetryStrategy: retryStrategy,
    slotsRefreshTimeout: 2000,
    // Nodes are connected to by name, since certificates contain names and not addresses.
    dnsLookup: (name, callback) => callback(null, name),
  } as ConstructorParameters<typeof Cluster>[1]);
}

/** @returns ioredis' `reconnectOnError` for a demoted primary; the pause prevents permanent reconnects to one. */
function leaveDemoted() {
  let leftAt = Number.NEGATIVE_INFINITY;
  return ({ message }: Error): boolean => {
    const isDue = message.startsWith('READONLY') && performance.now() - leftAt >= LEAVE_DEMOTED_EVERY_MS;
    if (isDue) leftAt = performance.now();
    return isDue;
  };
}

/** @returns connections to all masters of a cluster, once they are known, or the one connection to a single server */
export async function mastersOf(client: RedisClient): Promise<Redis[]> {
  if (!(client instanceof Cluster)) return [client];
  if (client.status !== 'ready') await client.ping();
  return client.nodes('master');
}

/** @returns the items by the connection to their key's server; by `redis` itself where a slot's server is unknown */
export function byServer<Item>(redis: RedisClient, items: Item[], keyOf: (item: Item) => string) {
  if (!(redis instanceof Cluster)) return new Map<RedisClient, Item[]>([[redis, items]]);
  const masters = new Map(redis.nodes('master').map((node) => [`${node.options.host}:${node.options.port}`, node]));
  return Map.groupBy(items, (item): RedisClient => {
    const [master] = redis.slots[new Command('GET', [keyOf(item)]).getSlot()] ?? [];
    return masters.get(master ?? '') ?? redis;
  });
}

/** Logs one line when the connection is lost and one when it is back. */
function logConnection(client: RedisClient, role: RedisRole, logger: Logger): void {
  let isDown = false;
  client.on('error', (error: Error) => {
    raisedBy('redis', error);
    if (!isDown) logger.warn({ role, err: error }, 'Redis connection lost');
    isDown = true;
  });
  client.on('ready', () => {
    if (isDown) logger.info({ role }, 'Redis connection is back');
    isDown = false;
  });
}

const SYNC_INTERVAL_MS = 5000;
/** How many replies a synchronisation takes. The one with the shortest round trip counts, since delays falsify it. */
const SAMPLES = 5;

/** Synchronises at once, after each reconnect, and every five seconds; in between it adds monotonic time. */
export function createRedisClock(redis: RedisClient) {
  // This machine's own time is used until the first reply.
  let offsetMs = performance.timeOrigin;
  const sync = async () => {
    try {
      let quickestMs = Number.POSITIVE_INFINITY;
      for (let sample = 0; sample < SAMPLES; sample++) {
        const sentMs = performance.now();
        const [seconds, micros] = await redis.time();
        const tripMs = performance.now() - sentMs;
        if (tripMs >= quickestMs) continue;
        quickestMs = tripMs;
        offsetMs = Number(seconds) * 1000 + Number(micros) / 1000 - (sentMs + tripMs / 2);
      }
    } catch {
      // While Redis is away, the last offset stays in use.
    }
  };
  void sync();
  redis.on('ready', sync);
  const timer = setInterval(sync, SYNC_INTERVAL_MS).unref();
  return {
    /** The Redis server's time in ms since 1970, to within about the network's latency. */
    nowMs: () => Math.round(performance.now() + offsetMs),
    stop() {
      clearInterval(timer);
      redis.off('ready', sync);
    },
  };
}

const SUBSCRIBE_TIMEOUT_MS = 1500;

/**
 * Sharded pub/sub on a connection with the role `subscriber`.
 * @param on.resubscribed is called after a reconnect, when lost messages can be read from elsewhere
 */
export function createChannels(
  connection: RedisClient,
  on: { message(channel: string, message: string): void; resubscribed(): void },
) {
  const wanted = new Set<string>();
  connection.on('smessage', on.message);
  connection.on('ready', () => {
    Promise.all([...wanted].map((channel) => connection.ssubscribe(channel))).then(
      () => on.resubscribed(),
      // Either the connection broke again, and 'ready' will follow, or Redis refused a subscription, and the caller
      // notices that it receives nothing.
      () => {},
    );
  });
  return {
    /** @throws an outage when Redis does not confirm in time; the subscription is made after the next reconnect */
    async subscribe(channel: string): Promise<void> {
      wanted.add(channel);
      await withTimeout(connection.ssubscribe(channel), SUBSCRIBE_TIMEOUT_MS);
    },
    unsubscribe(channel: string): void {
      wanted.delete(channel);
      connection.sunsubscribe(channel).catch(() => {});
    },
    /** Drops the connection and reconnects, for a subscription that no longer receives anything. */
    reconnect(): void {
      if (connection.status === 'ready') connection.disconnect(true);
    },
  };
}
