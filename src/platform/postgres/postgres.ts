// Connects to PostgreSQL: one pool of connections, and Prisma on top of it. Every wait has a limit, since requests that
// wait for a slow database would else make the whole service unresponsive.
import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { STORE_TIMEOUT_MS } from '../../config.ts';
import { Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import { gauge, readOnScrape } from '../observability/metrics.ts';
import { isTraced, traceCommand } from '../observability/tracing.ts';
import { raisedBy } from '../outages/outage.ts';
import { createWaits, type Waits } from '../overload/load.ts';

export type Database = PrismaClient;

/** For statements without Prisma. */
export type Postgres = Pick<PostgresPool, 'query'>;

const connections = gauge('quiz_postgres_connections', 'Connections of this process, and waits for one.', ['state']);

/**
 * How long something may take, in timeouts of a command to Redis. A long job therefore works in batches, or on a
 * connection of its own without these limits, as migrations and imports do.
 */
const TIMEOUTS = {
  // A request fails with 503 after these waits, for a connection and for the result of a statement.
  connect: 1.5,
  query: 1.8,
  // The server cancels a statement before its caller gives up. Otherwise one that waits for a lock would keep its
  // connection although nobody wants its result, and each further request would take another one.
  statement: 1.3,
  // The server ends an idle transaction, since the process behind it may have stopped while it holds locks.
  idleInTransaction: 4,
  // Prisma's own transactions wait for a connection, and last, longer than the limits above, which are clearer.
  transactionWait: 2,
  transaction: 5,
};

/**
 * PgBouncer in transaction mode must be told to ignore the limits given here, as the runbook says.
 * @param options.timeoutMs how long a command to Redis may take, ms
 * @returns `db`, which ends the pool too when it disconnects, and `postgres`, the pool that it uses
 */
export function connectPostgres(
  url: string,
  poolMax: number,
  { waits = createWaits(), timeoutMs = STORE_TIMEOUT_MS } = {},
): { db: Database; postgres: PostgresPool } {
  const limitMs = (name: keyof typeof TIMEOUTS) => Math.round(TIMEOUTS[name] * timeoutMs);
  const postgres = new PostgresPool(waits, {
    connectionString: url,
    max: poolMax,
    connectionTimeoutMillis: limitMs('connect'),
    query_timeout: limitMs('query'),
    statement_timeout: limitMs('statement'),
    idle_in_transaction_session_timeout: limitMs('idleInTransaction'),
    keepAlive: true,
    ...(isTraced() ? { Client: TracedClient } : {}),
  });
  const stop = readOnScrape(async () => {
    if (postgres.ended) stop();
    connections.set({ state: 'used' }, postgres.totalCount - postgres.idleCount);
    connections.set({ state: 'idle' }, postgres.idleCount);
    connections.set({ state: 'waiting' }, postgres.waitingCount);
  });
  const adapter = new PrismaPg(postgres, {
    disposeExternalPool: true,
    statementNameGenerator: createStatementNames(),
    // The pool opens a new connection in place of one that breaks.
    onPoolError: () => {},
    onConnectionError: () => {},
  });
  const transactionOptions = { maxWait: limitMs('transactionWait'), timeout: limitMs('transaction') };
  return { db: new PrismaClient({ adapter, transactionOptions }), postgres };
}

/** A connection is closed after these. One to a database that was read-only at its opening (25006) would stay so. */
const FINAL_ERRORS = /^(08|25006|25P|53300|57P|XX)/;

/** It counts who waits for a connection, and keeps a connection whose statement was merely refused. */
export class PostgresPool extends pg.Pool {
  readonly #waits: Waits;

  constructor(waits: Waits, options: pg.PoolConfig) {
    super(options);
    this.#waits = waits;
    // A broken connection fails its query with the same error, which reports it. The listener is attached at once,
    // since a server that shuts down can send the error with its greeting, and one without a listener ends the process.
    this.on('connect', (client) => client.on('error', (error) => raisedBy('postgres', error)));
  }

  /** Neither Prisma nor this service gives a callback. */
  override connect = (() => this.#lend()) as pg.Pool['connect'];

  /**
   * Closes an idle connection with an open transaction, with which the next borrower's writes would be lost. Prisma
   * releases one when its `ROLLBACK` timed out before it was sent.
   */
  async #lend(): Promise<pg.PoolClient> {
    const endWait = this.#waits.begin();
    try {
      for (;;) {
        const client = await super.connect();
        if (client.getTransactionStatus() === 'I') return client;
        client.release(true);
      }
    } catch (error) {
      throw raisedBy('postgres', error);
    } finally {
      endWait();
    }
  }

  /** pg's own `query` closes the connection after every error, a unique violation included. */
  override query = (async (...statement: Parameters<pg.PoolClient['query']>) => {
    const client = await this.#lend();
    try {
      const result = await client.query(...statement);
      client.release();
      return result;
    } catch (error) {
      const isRefusal = error instanceof pg.DatabaseError && !FINAL_ERRORS.test(error.code ?? '');
      client.release(!isRefusal);
      throw error;
    }
  }) as pg.Pool['query'];

  /** Runs a transaction on one connection, which is rolled back when `work` throws. @throws what `work` throws */
  async transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.connect();
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      client.release();
      return result;
    } catch (error) {
      // The server rolls back the transaction of a connection that is closed.
      client.release(true);
      throw error;
    }
  }
}

class TracedClient extends pg.Client {
  /** The span has the statement's text, which contains placeholders instead of values. */
  override query = ((...args: [string | pg.QueryConfig, ...never[]]) => {
    const [statement] = args;
    const text = typeof statement === 'string' ? statement : statement.text;
    const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
    const end = traceCommand('postgresql', operation, { 'db.query.text': text });
    // Neither Prisma nor this service gives a callback, without which a statement returns a promise.
    const result: unknown = super.query(...args);
    if (end)
      (result as Promise<unknown>).then(
        () => end(),
        (error: unknown) => end(error ?? 'failed'),
      );
    return result;
  }) as pg.Client['query'];
}

/** @returns the SQLSTATE with which a statement over the pool or by Prisma has failed; else another code, or '' */
export function sqlStateOf(error: unknown): string {
  const { code = '', meta } = Object(error) as {
    code?: string;
    meta?: { code?: string; driverAdapterError?: { cause?: { originalCode?: string } } };
  };
  return meta?.driverAdapterError?.cause?.originalCode ?? meta?.code ?? code;
}

export const isUniqueViolation = (error: unknown) => sqlStateOf(error) === '23505';

/** How many statements get a name. The server keeps one until its connection closes; the service has fewer of them. */
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

/** @returns a tag for frequent statements, since Prisma's `$queryRaw` takes 100–200 µs of CPU */
export function queryOn(postgres: Postgres) {
  return async <Row extends object>(...parts: Parameters<typeof Prisma.sql>): Promise<Row[]> => {
    const { text, values } = Prisma.sql(...parts);
    return (await postgres.query<Row>({ name: nameOfSql({ sql: text }), text, values })).rows;
  };
}

/** @param read returns up to `limit` rows that follow `after`, in a fixed order @returns pages, none of them empty */
export async function* inPages<Row>(limit: number, read: (after: Row | undefined) => Promise<Row[]>) {
  for (let after: Row | undefined; ; ) {
    const rows = await read(after);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    after = rows.at(-1);
  }
}
