// A connection to PostgreSQL that records a span for each statement. The pool opens such connections only when
// tracing is on.
import pg from 'pg';
import { endStoreSpan, startStoreSpan } from '../observability/store-spans.ts';

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
