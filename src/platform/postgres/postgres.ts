// Connects to PostgreSQL: one pool of connections, and Prisma on top of it. Every wait has a limit, since
// requests that wait for a slow database without one would make the whole service unresponsive.
import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { STORE_TIMEOUT_MS } from '../../config/variables.ts';
import { Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import { gauge, readOnScrape } from '../observability/metrics.ts';
import { isTraced } from '../observability/tracing.ts';
import { createWaits } from '../overload/load.ts';
import { PostgresPool, TracedClient } from './postgres-pool.ts';

/** Prisma's client: it has the types of all tables, and runs raw SQL too. */
export type Database = PrismaClient;

/** The pool, for statements without Prisma. */
export type Postgres = Pick<PostgresPool, 'query'>;

/**
 * How long a request waits for a connection, and for the result of a statement, before it fails with 503: in timeouts of
 * a command to Redis.
 */
const CONNECT_TIMEOUTS = 1.5;
const QUERY_TIMEOUTS = 1.8;

/**
 * The server cancels a statement after this many timeouts, before its caller gives up. Otherwise a statement that waits
 * for a lock would keep its connection although nobody wants its result, and each further request would take another
 * one. A long job therefore works in batches, or on a connection of its own without the limit, as migrations and
 * imports do.
 */
const STATEMENT_TIMEOUTS = 1.3;
/**
 * The server ends a transaction that has been idle for this many timeouts, since the process behind it may have stopped
 * while it holds locks.
 */
const IDLE_IN_TRANSACTION_TIMEOUTS = 4;
/** How long Prisma's own transactions wait for a connection, and last: longer than the limits above, which are clearer. */
const TRANSACTION_WAIT_TIMEOUTS = 2;
const TRANSACTION_TIMEOUTS = 5;

/**
 * PgBouncer in transaction mode must be told to ignore the limits given here; the role's own limits hold then.
 * The runbook says how.
 * @param options.timeoutMs how long a command to Redis may take, ms; the limits here are multiples of it
 * @returns `db`, which ends the pool too when it disconnects, and `postgres`, the pool that it uses
 */
export function connectPostgres(
  url: string,
  poolMax: number,
  { waits = createWaits(), timeoutMs = STORE_TIMEOUT_MS } = {},
): { db: Database; postgres: PostgresPool } {
  const options = {
    connectionString: url,
    max: poolMax,
    connectionTimeoutMillis: Math.round(CONNECT_TIMEOUTS * timeoutMs),
    query_timeout: Math.round(QUERY_TIMEOUTS * timeoutMs),
    statement_timeout: Math.round(STATEMENT_TIMEOUTS * timeoutMs),
    idle_in_transaction_session_timeout: Math.round(IDLE_IN_TRANSACTION_TIMEOUTS * timeoutMs),
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
  const transactionOptions = {
    maxWait: Math.round(TRANSACTION_WAIT_TIMEOUTS * timeoutMs),
    timeout: Math.round(TRANSACTION_TIMEOUTS * timeoutMs),
  };
  return { db: new PrismaClient({ adapter, transactionOptions }), postgres };
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

/** @returns the SQLSTATE with which a statement has failed, over the pool or by Prisma; else another code, or '' */
export function sqlStateOf(error: unknown): string {
  const { code = '', meta } = Object(error) as {
    code?: string;
    meta?: { code?: string; driverAdapterError?: { cause?: { originalCode?: string } } };
  };
  return meta?.driverAdapterError?.cause?.originalCode ?? meta?.code ?? code;
}

export const isUniqueViolation = (error: unknown) => sqlStateOf(error) === '23505';

/**
 * How many statements get a name. The server keeps a named statement until its connection closes, so that the
 * number needs a bound. The service has fewer; any further statement is sent without a name.
 */
const MAX_NAMED = 300;

/** Prisma writes one placeholder for each value of a list, so that a list of another length is another statement. */
const HAS_LIST = /\bIN \(\$\d+,|\),\s*\(/i;

/** @returns a function that names the statements of a process; it returns '' for a statement without a name */
export function createStatementNames(): (statement: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size === MAX_NAMED || HAS_LIST.test(sql)) return '';
    const name = `quiz_${createHash('sha256').update(sql).digest('hex').slice(0, 24)}`;
    names.set(sql, name);
    return name;
  };
}

const nameOfSql = createStatementNames();

/**
 * @returns a tag as `$queryRaw` that runs frequent statements, whose rows are as pg converts them: `$queryRaw` itself
 *   takes 100–200 µs of CPU. It throws a pg.DatabaseError where PostgreSQL refuses a statement, and an outage
 */
export function queryOn(postgres: Postgres) {
  return async <Row extends object>(...parts: Parameters<typeof Prisma.sql>): Promise<Row[]> => {
    const { text, values } = Prisma.sql(...parts);
    return (await postgres.query<Row>({ name: nameOfSql({ sql: text }), text, values })).rows;
  };
}

/**
 * @param limit the number of rows that `read` returns at most
 * @param read returns the rows that follow `after`, or the first ones, in an order that doesn't change
 * @returns the pages, none of which is empty
 */
export async function* inPages<Row>(
  limit: number,
  read: (after: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after: Row | undefined; ; ) {
    const rows = await read(after);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    after = rows.at(-1);
  }
}
