// The pool of PostgreSQL connections. Prisma's adapter sends every statement over it, and a store whose values
// are too large for Prisma uses it directly. It adds four things to pg's own pool: it counts the callers that
// wait for a connection, it never lends a connection with an open transaction, it keeps a connection whose
// statement was merely refused, and it runs transactions.
import pg from 'pg';
import { endStoreSpan, startStoreSpan } from '../observability/tracing.ts';
import { raisedBy } from '../outages/outage.ts';
import type { Waits } from '../overload/load.ts';

/**
 * SQLSTATEs, or their first characters, after which a connection is closed. After most of them the server closes it
 * itself. After 25006 the database was read-only when the connection was opened, and the connection would stay so.
 */
const FINAL_ERRORS = /^(08|25006|25P|53300|57P|XX)/;

export class PostgresPool extends pg.Pool {
  readonly #waits: Waits;

  constructor(options: pg.PoolConfig, waits: Waits) {
    super(options);
    this.#waits = waits;
    // A broken connection fails its query with the same error, which reports it. The listener is attached
    // at once, since a server that shuts down can send that error together with its greeting, and an error
    // without a listener ends the process.
    this.on('connect', (client) => client.on('error', (error) => raisedBy('postgres', error)));
  }

  /** Neither Prisma nor this service gives a callback. */
  override connect = (() => this.#lend()) as pg.Pool['connect'];

  /**
   * Closes an idle connection on which a transaction is still open. Prisma releases such a connection when its
   * `ROLLBACK` timed out before it was sent, and the writes of the next borrower would be lost with that transaction.
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

  /**
   * Runs one statement. pg's own `query` closes the connection after every error, a unique violation
   * included, and opens the next one while the server still holds the old one.
   */
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

  /**
   * Runs a transaction on one connection.
   * @param work is rolled back when it throws
   * @throws what `work` throws, `pg.DatabaseError` for a statement that PostgreSQL refuses
   */
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

export class TracedClient extends pg.Client {
  /** The span has the statement's text, which contains placeholders instead of values. */
  override query = ((...args: [string | pg.QueryConfig, ...never[]]) => {
    const [statement] = args;
    const text = typeof statement === 'string' ? statement : statement.text;
    const operation = /^\s*(\w+)/.exec(text ?? '')?.[1]?.toUpperCase() ?? 'SQL';
    const span = startStoreSpan(operation, {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': text,
    });
    const result: unknown = super.query(...args);
    // A statement with a callback returns no promise; neither Prisma nor this service uses one.
    if (span && result instanceof Promise)
      result.then(
        () => endStoreSpan(span),
        (error: unknown) => endStoreSpan(span, error ?? 'failed'),
      );
    else span?.end();
    return result;
  }) as pg.Client['query'];
}
