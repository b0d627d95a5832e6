// How to ask a store whether it would take a write, without writing anything: no row, no key, nothing
// to vacuum or to replicate, and no lock that somebody else could hold. [contract 18]
import { Cluster } from 'ioredis';
import type { Database } from './postgres.ts';
import { mastersOf, type RedisClient } from './redis.ts';
import type { StoreProbes } from './store-checks.ts';

/**
 * A script without flags may write, so that the server refuses it exactly when it would refuse a write
 * (https://redis.io/docs/latest/develop/programmability/lua-api/#script_flags); it has no key, so that
 * each master of a cluster can be asked.
 */
const MAY_WRITE = '#!lua\nreturn 1';

/** @returns what rejects while a store is away, or with its refusal of writes */
export function createStoreProbes({
  db,
  redis,
}: {
  db: Database;
  redis: RedisClient;
}): StoreProbes {
  return { postgres: () => probePostgres(db), redis: () => probeRedis(redis) };
}

/** Fails as a write would, so that a connection that is read-only on its own account is not kept. */
async function probePostgres(db: Database): Promise<void> {
  await db.$executeRaw`
    DO $$ BEGIN
      IF current_setting('transaction_read_only')::boolean THEN
        RAISE read_only_sql_transaction;
      END IF;
    END $$`;
}

/** One master that refuses is enough: a share of all lobbies stands still. */
async function probeRedis(redis: RedisClient): Promise<void> {
  await Promise.all((await mastersOf(redis)).map((master) => master.eval(MAY_WRITE, 0)));
  if (redis instanceof Cluster) await probeCluster(redis);
}

/** With a slot that nobody serves, every master refuses whatever has a key. */
async function probeCluster(cluster: Cluster): Promise<void> {
  const info = await cluster.cluster('INFO');
  if (!String(info).includes('cluster_state:ok')) throw new Error('CLUSTERDOWN');
}
