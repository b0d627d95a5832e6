// Asks a store whether it would take a write, without writing: no row, no key, nothing to vacuum or to replicate,
// and no lock that another session could hold. [contract 18]
import { Cluster } from 'ioredis';
import type { Database } from '../postgres/postgres.ts';
import { mastersOf, type RedisClient } from '../redis/redis.ts';
import type { StoreProbes } from './store-checks.ts';

/**
 * Redis refuses this script exactly when it would refuse a write, since a script without flags may write
 * (https://redis.io/docs/latest/develop/programmability/lua-api/#script_flags). The script has no key, so that
 * each master of a cluster can run it.
 */
const MAY_WRITE = '#!lua\nreturn 1';

/** @returns functions that reject while a store is away, or with the store's refusal of writes */
export function createStoreProbes({
  db,
  redis,
}: {
  db: Database;
  redis: RedisClient;
}): StoreProbes {
  return { postgres: () => probePostgres(db), redis: () => probeRedis(redis) };
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

/** Rejects when a single master refuses, since the lobbies whose keys it has stand still. */
async function probeRedis(redis: RedisClient): Promise<void> {
  await Promise.all((await mastersOf(redis)).map((master) => master.eval(MAY_WRITE, 0)));
  if (redis instanceof Cluster) await probeCluster(redis);
}

/** Rejects when a hash slot has no master: by default every master then refuses all commands with a key. */
async function probeCluster(cluster: Cluster): Promise<void> {
  const info = await cluster.cluster('INFO');
  if (!String(info).includes('cluster_state:ok')) throw new Error('CLUSTERDOWN');
}
