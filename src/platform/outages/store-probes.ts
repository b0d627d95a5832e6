// Asks a store whether it would take a write, without writing: no row, no key, nothing to vacuum or to replicate,
// and no lock that another session could hold. [contract 18]
import { Cluster, type Redis } from 'ioredis';
import type { Database } from '../postgres/postgres.ts';
import { mastersOf, type RedisClient } from '../redis/redis.ts';
import type { StoreProbes } from './store-checks.ts';

/**
 * Redis refuses this script exactly when it would refuse a write, since a script without flags may write
 * (https://redis.io/docs/latest/develop/programmability/lua-api/#script_flags). The script has no key, so that
 * each master of a cluster can run it.
 */
const MAY_WRITE = '#!lua\nreturn 1';

/** How Redis counts the writes that it has refused, by reason: `errorstat_OOM:count=3`. */
const REFUSED = /^errorstat_(NOREPLICAS|OOM|READONLY|MISCONF):count=(\d+)/gm;
/** A master that has refused a write counts as read-only for so many ms. [contract 18: gone within 5 s] */
const REFUSAL_COUNTS_MS = 2500;

/** @returns functions that reject while a store is away, or with the store's refusal of writes */
export function createStoreProbes({ db, redis }: { db: Database; redis: RedisClient }): StoreProbes {
  const refusals = new WeakMap<Redis, Refusals>();
  return { postgres: () => probePostgres(db), redis: () => probeRedis(redis, refusals) };
}

/**
 * Fails where a write would fail: on a read-only connection, which the pool then closes, and on a full disk. To
 * notice a full disk, PostgreSQL counts more rows than the smallest `work_mem` (64 kB) holds, for which it writes and
 * removes a temporary file of 42 kB beside the tables.
 */
async function probePostgres(db: Database): Promise<void> {
  await db.$executeRaw`
    DO $$ BEGIN
      IF current_setting('transaction_read_only')::boolean THEN
        RAISE read_only_sql_transaction;
      END IF;
      PERFORM set_config('work_mem', '64kB', true);
      PERFORM count(*) FROM generate_series(1, 3000);
    END $$`;
}

/** What a master has refused, as far as this process knows. */
interface Refusals {
  /** The master's counters by reason. */
  counts: Map<string, number>;
  last?: { reason: string; atMs: number };
}

/** Rejects when a single master refuses, since the lobbies whose keys it has stand still. */
async function probeRedis(redis: RedisClient, refusals: WeakMap<Redis, Refusals>): Promise<void> {
  const masters = await mastersOf(redis);
  await Promise.all(
    masters.map(async (master) => {
      const [info] = await Promise.all([master.info('errorstats'), master.eval(MAY_WRITE, 0)]);
      const known = noteRefusals(refusals.get(master), info);
      refusals.set(master, known);
      if (known.last && performance.now() - known.last.atMs < REFUSAL_COUNTS_MS)
        throw new Error(`${known.last.reason} Redis has refused another write`);
    }),
  );
  if (redis instanceof Cluster) await probeCluster(redis);
}

/**
 * A Redis whose memory is nearly full refuses large writes and takes small ones like the script above: the memory that
 * a command itself takes counts too. Its own counters tell that it has refused writes, whoever sent them.
 */
function noteRefusals(before: Refusals | undefined, info: string): Refusals {
  const counts = new Map(Array.from(info.matchAll(REFUSED), ([, reason = '', n]) => [reason, Number(n)]));
  const rose =
    before && [...counts.keys()].find((reason) => (counts.get(reason) ?? 0) > (before.counts.get(reason) ?? 0));
  const last = rose ? { reason: rose, atMs: performance.now() } : before?.last;
  return { counts, ...(last && { last }) };
}

/** Rejects when a hash slot has no master: by default every master then refuses all commands with a key. */
async function probeCluster(cluster: Cluster): Promise<void> {
  const info = await cluster.cluster('INFO');
  if (!String(info).includes('cluster_state:ok')) throw new Error('CLUSTERDOWN');
}
