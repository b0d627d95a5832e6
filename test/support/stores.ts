// The real stores of one test file: a database that is cloned from a migrated template, with the built-in
// words if a test needs them, and a Redis server.
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { inject } from 'vitest';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { connectPostgres } from '../../src/platform/postgres/postgres.ts';
import { connectRedis, type RedisClient } from '../../src/platform/redis/redis.ts';
import { eventually } from './eventually.ts';
import { forAllTests } from './for-all-tests.ts';
import { type OwnRedis, type RedisCluster, startOwnRedis, startRedisCluster } from './own-servers.ts';
import { withPostgres } from './sql.ts';
import { loadTestVocabulary } from './vocabulary.ts';

export { type OwnPostgres, startOwnPostgres } from './own-servers.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether a test file gets a single server, or a cluster of three masters. */
    redisMode: 'single' | 'cluster';
  }
}

export type TestStores = Awaited<ReturnType<typeof startStores>>;

/**
 * Creates migrated stores that no other test file uses, in about 100 ms. Tests call it in `beforeAll`.
 * @param options.redisReplicas the number of replicas of each master of a cluster
 * @param options.hasWords whether the database has the built-in words from English to Italian
 */
export async function startStores({ redisReplicas = 0, hasWords = false } = {}) {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const isCluster = inject('redisMode') === 'cluster';
  const template = hasWords ? await templateWithWords() : TEMPLATE;
  const [redis, databaseUrl] = await Promise.all([
    isCluster ? startRedisCluster({ replicas: redisReplicas }) : startOwnRedis(),
    cloneDatabase(name, template),
  ]);
  return {
    databaseUrl,
    /** The address of the server, or the comma-separated addresses of the cluster. */
    redisUrl: redis.url,
    isCluster,
    /** The controls of a single server, which a cluster lacks. */
    redis: redis as OwnRedis,
    /** Fails the cluster's master of `key` over to its replica; a single server has none. */
    failOver: (key: string): Promise<void> => (redis as RedisCluster).failOver(key),
    /** Drops the database, stops Redis and removes its data. Tests call it in `afterAll`. */
    async stop(): Promise<void> {
      await redis.dispose();
      await administrate((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}

export const useStores = (options?: Parameters<typeof startStores>[0]): TestStores =>
  forAllTests(() => startStores(options));

/** How long tests' commands wait for a store, ms: ten times as usual, since a busy machine may stall for seconds. */
export const STORE_PATIENCE_MS = 10_000;

/** Connects to Redis as the service does, but waits longer for it. */
export function connectToRedis(
  { redisUrl: url, isCluster: cluster = false }: { redisUrl: string; isCluster?: boolean },
  role: Parameters<typeof connectRedis>[1] = 'commands',
): RedisClient {
  return connectRedis({ url, cluster, timeoutMs: STORE_PATIENCE_MS }, role, createLogger('silent', 'test'));
}

/** Connects to PostgreSQL as the service does, but waits longer for it. @param poolMax connections at most */
export const connectToPostgres = (url: string, poolMax: number) =>
  connectPostgres(url, poolMax, { timeoutMs: STORE_PATIENCE_MS });

/** The name of the migrated and empty template that the global setup creates. */
const TEMPLATE = 'template_quiz';
const TEMPLATE_WITH_WORDS = 'template_words';
/** The key of the advisory lock under which one file creates the template with words, while other files wait. */
const TEMPLATE_LOCK = 20_261_123;

/** @returns the name of the template with words, which the first caller creates */
function templateWithWords(): Promise<string> {
  return administrate(async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const find = 'SELECT FROM pg_database WHERE datname = $1 AND datistemplate';
    const { rowCount } = await client.query(find, [TEMPLATE_WITH_WORDS]);
    if (rowCount === 0) {
      // A test file that was killed may have left an incomplete database.
      await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE_WITH_WORDS} WITH (FORCE)`);
      await loadTestVocabulary(await cloneDatabase(TEMPLATE_WITH_WORDS, TEMPLATE));
      await client.query(`ALTER DATABASE ${TEMPLATE_WITH_WORDS} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`);
    }
    // PostgreSQL releases the lock when the connection ends.
    return TEMPLATE_WITH_WORDS;
  });
}

/** @returns the address of a new database, cloned from the template */
async function cloneDatabase(name: string, template: string): Promise<string> {
  // Copying the files takes half of the CPU time of writing them to the log.
  const clone = `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`;
  // A connection to the template, such as that of autovacuum, makes the clone fail.
  await eventually(() => administrate((client) => client.query(clone)), { timeoutMs: 60_000, intervalMs: 100 });
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

const administrate = <T>(work: (client: pg.Client) => Promise<T>) => withPostgres(inject('postgresUrl'), work);

/** The fields of a hash; null removes one. */
export type Fields = Record<string, string | number | null>;

export async function setFields(redis: RedisClient, key: string, fields: Fields): Promise<void> {
  for (const [field, value] of Object.entries(fields))
    await (value === null ? redis.hdel(key, field) : redis.hset(key, field, value));
}
