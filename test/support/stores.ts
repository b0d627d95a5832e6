// The real stores of one test file: a database cloned from the migrated template in the run's
// PostgreSQL, and a Redis server of its own.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { eventually } from './eventually.ts';
import { type OwnRedis, type ServerControls, startOwnRedis } from './own-redis.ts';
import { startRedisCluster } from './redis-cluster.ts';

export { type OwnPostgres, startOwnPostgres } from './own-postgres.ts';
export type { ServerControls } from './own-redis.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What a test file gets: a single server, or a cluster of three. */
    redisMode: 'single' | 'cluster';
  }
}

export interface TestStores {
  readonly databaseUrl: string;
  /** One address, or the cluster's, comma-separated. */
  readonly redisUrl: string;
  readonly isCluster: boolean;
  /** Of a single server; with a cluster, all of it throws. */
  readonly redis: ServerControls;
  /** Loses the cluster's master that holds `key` to its replica; with a single server it throws. */
  failOver(key: string): Promise<void>;
  /** Drops the database, ends Redis, removes the data. For `afterAll`. */
  stop(): Promise<void>;
}

/**
 * For `beforeAll`: empty, migrated stores that no other test file sees; about 100 ms.
 * @param options.redisReplicas of each master of a cluster
 */
export async function startStores({ redisReplicas = 0 } = {}): Promise<TestStores> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const isCluster = inject('redisMode') === 'cluster';
  const [redis, databaseUrl] = await Promise.all([
    isCluster ? startCluster(redisReplicas) : startServer(),
    cloneDatabase(name),
  ]);
  return {
    databaseUrl,
    redisUrl: redis.url,
    isCluster,
    redis,
    failOver: redis.failOver,
    async stop() {
      await redis.dispose();
      await administrate(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

type Redis = Omit<OwnRedis, 'configure'> & Pick<TestStores, 'failOver'>;

async function startServer(): Promise<Redis> {
  const server = await startOwnRedis();
  const failOver = () => {
    throw new Error('This test needs a Redis Cluster, not a server.');
  };
  return { ...server, failOver };
}

async function startCluster(replicas: number): Promise<Redis> {
  const { nodes, stop, failOver } = await startRedisCluster({ replicas });
  const refuse = () => {
    throw new Error('This test needs a Redis server of its own, not a cluster.');
  };
  const controls = { start: refuse, stop: refuse, kill: refuse, pause: refuse, resume: refuse };
  return { url: nodes, dispose: stop, failOver, ...controls };
}
/** @returns the address of a new database, equal to the template. */
async function cloneDatabase(name: string): Promise<string> {
  // Somebody who looks at the template at this moment (autovacuum, say) makes the copy fail.
  await eventually(() => administrate(`CREATE DATABASE ${name} TEMPLATE template_quiz`), {
    timeoutMs: 60_000,
    intervalMs: 100,
  });
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

async function administrate(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
