// The PostgreSQL client. Bounded everywhere: a pool that waits for ever turns a slow database into
// a dead service.
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';
import { gauge, readOnScrape } from './metrics.ts';

export type Database = PrismaClient;

/** How long a request waits for a connection or an answer before it becomes a 503. */
const CONNECT_TIMEOUT_MS = 1500;
const QUERY_TIMEOUT_MS = 1800;

/**
 * @param url a `postgresql://` address
 * @param poolMax connections at most
 */
export function connectPostgres(url: string, poolMax: number): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
  });
  const adapter = new PrismaPg(pool, {
    disposeExternalPool: true,
    // An idle connection that breaks is the pool's business: the next query gets a new one.
    onPoolError: () => {},
    onConnectionError: () => {},
  });
  measure(pool);
  return new PrismaClient({ adapter });
}

const connections = gauge(
  'quiz_postgres_connections',
  'Connections of this process, in use or idle, and the queries that wait for one.',
  ['state'],
);

function measure(pool: pg.Pool): void {
  const stop = readOnScrape(async () => {
    if (pool.ended) stop();
    connections.set({ state: 'used' }, pool.totalCount - pool.idleCount);
    connections.set({ state: 'idle' }, pool.idleCount);
    connections.set({ state: 'waiting' }, pool.waitingCount);
  });
}

/** @returns whether a statement was undone because a key is taken, model query or raw SQL. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, meta } = (error ?? {}) as {
    code?: string;
    meta?: { code?: string; driverAdapterError?: { cause?: { originalCode?: string } } };
  };
  return (
    code === 'P2002' ||
    (code === 'P2010' &&
      (meta?.code === '23505' || meta?.driverAdapterError?.cause?.originalCode === '23505'))
  );
}
