// Connects to PostgreSQL: one pool of connections, and Prisma on top of it. Every wait has a limit, since
// requests that wait for a slow database without one would make the whole service unresponsive.
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '../../generated/prisma/client.ts';
import { gauge, readOnScrape } from '../observability/metrics.ts';
import { isTraced } from '../observability/tracing.ts';
import { createWaits } from '../overload/load.ts';
import { PostgresPool } from './postgres-pool.ts';
import { createStatementNames } from './statement-names.ts';
import { TracedClient } from './traced-client.ts';

/** Prisma's client: it has the types of all tables, and runs raw SQL too. */
export type Database = PrismaClient;

/** How long a request waits for a connection, and for the result of a statement, before it fails with 503, in ms. */
const CONNECT_TIMEOUT_MS = 1500;
const QUERY_TIMEOUT_MS = 1800;

/**
 * The server cancels a statement after this many ms, before its caller gives up. Otherwise a statement that
 * waits for a lock would keep its connection although nobody wants its result, and each further request would
 * take another one. A long job therefore works in batches, or on a connection of its own without the limit,
 * as migrations and imports do.
 */
const STATEMENT_TIMEOUT_MS = 1300;
/**
 * The server ends a transaction that has been idle for this many ms, since the process behind it may have
 * stopped while it holds locks.
 */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 4000;

/**
 * PgBouncer in transaction mode must be told to ignore the limits given here; the role's own limits hold then.
 * The runbook says how.
 * @param url a `postgresql://` address
 * @param poolMax connections at most
 * @param waits counts the callers that wait for a connection
 * @returns `db`, which ends the pool too when it disconnects, and `postgres`, the pool that it uses
 */
export function connectPostgres(
  url: string,
  poolMax: number,
  waits = createWaits(),
): { db: Database; postgres: PostgresPool } {
  const options = {
    connectionString: url,
    max: poolMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    ...(isTraced() ? { Client: TracedClient } : {}),
  };
  const postgres = new PostgresPool(options, waits);
  measure(postgres);
  const adapter = new PrismaPg(postgres, {
    disposeExternalPool: true,
    statementNameGenerator: createStatementNames(),
    // The pool opens a new connection in place of one that breaks.
    onPoolError: () => {},
    onConnectionError: () => {},
  });
  return { db: new PrismaClient({ adapter }), postgres };
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

/** @returns whether a statement failed with a unique violation, as a query of a model or as raw SQL */
export function isUniqueViolation(error: unknown): boolean {
  const { code, meta } = (error ?? {}) as {
    code?: string;
    meta?: { code?: string; driverAdapterError?: { cause?: { originalCode?: string } } };
  };
  return (
    code === 'P2002' ||
    (code === 'P2010' && (meta?.code === '23505' || meta?.driverAdapterError?.cause?.originalCode === '23505'))
  );
}
