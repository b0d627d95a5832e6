// The PostgreSQL client. Bounded everywhere: a pool that waits for ever turns a slow database into
// a dead service.
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';
import { createWaits, type Waits } from './load.ts';
import { gauge, readOnScrape } from './metrics.ts';
import { createStatementNames } from './statement-names.ts';
import { offerPool } from './statements.ts';

export type Database = PrismaClient;

/** How long a request waits for a connection or an answer before it becomes a 503. */
const CONNECT_TIMEOUT_MS = 1500;
const QUERY_TIMEOUT_MS = 1800;

/**
 * The server gives up first, or what waits for a lock goes on waiting there with nobody to answer, and
 * each request that follows adds a backend. So every statement is a short one: a long job does its work
 * in batches, or on a connection of its own that lifts the limit, as migrations and imports do.
 */
const STATEMENT_TIMEOUT_MS = 1300;
/** For a process that has stopped in the middle of a transaction, and holds what it has locked. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 4000;

/**
 * After these errors a connection is made anew: the server ends it, or it may have been opened while
 * the database was read-only and would stay so. (SQLSTATE, or what it begins with.)
 */
const FINAL_ERRORS = /^(08|25006|25P|53300|57P|XX)/;

/**
 * Behind PgBouncer in transaction mode the limits of a statement are the role's own, and PgBouncer must
 * be told to ignore those given here; the runbook says how.
 * @param url a `postgresql://` address
 * @param poolMax connections at most
 * @param waits is told of whoever waits for one
 */
export function connectPostgres(url: string, poolMax: number, waits = createWaits()): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
  });
  // One that breaks fails its query, which says so; it must not end the process. From its first moment
  // on: the goodbye of a server that stops can come in one piece with its welcome, when nobody else
  // listens yet.
  pool.on('connect', (client) => client.on('error', () => {}));
  dropOpenTransactions(pool);
  countWaits(pool, waits);
  keepThroughRefusals(pool);
  const adapter = new PrismaPg(pool, {
    disposeExternalPool: true,
    statementNameGenerator: createStatementNames(),
    // An idle connection that breaks is the pool's business: the next query gets a new one.
    onPoolError: () => {},
    onConnectionError: () => {},
  });
  measure(pool);
  const db = new PrismaClient({ adapter });
  offerPool(db, pool);
  return db;
}

function countWaits(pool: pg.Pool, waits: Waits): void {
  const lend = pool.connect.bind(pool);
  const connect = () => {
    const end = waits.begin();
    return lend().finally(end);
  };
  Object.assign(pool, { connect });
}

/**
 * A connection whose transaction has not surely ended goes to nobody else. When its `ROLLBACK` is given
 * up before it is sent, behind a statement that is still under way, Prisma gives it back all the same;
 * whoever came next would write into that transaction, be told that all is well, and lose it.
 */
function dropOpenTransactions(pool: pg.Pool): void {
  const lend = pool.connect.bind(pool);
  const connect = async () => {
    const client = await lend();
    const giveBack = client.release;
    client.release = (fault) =>
      giveBack.call(client, fault || client.getTransactionStatus() !== 'I');
    return client;
  };
  Object.assign(pool, { connect });
}

/**
 * The pool's own `query` closes the connection after every error, a name that is taken included, and
 * opens the next one while the server still has the old one.
 */
function keepThroughRefusals(pool: pg.Pool): void {
  const query = async (statement: pg.QueryConfig) => {
    const client = await pool.connect();
    try {
      const result = await client.query(statement);
      client.release();
      return result;
    } catch (error) {
      const isRefusal = error instanceof pg.DatabaseError && !FINAL_ERRORS.test(error.code ?? '');
      client.release(!isRefusal);
      throw error;
    }
  };
  Object.assign(pool, { query });
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
