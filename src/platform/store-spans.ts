// A span for each Redis command and each SQL statement that is part of a traced request, message or
// job. What a process asks of itself (polls, sweeps, scrapes) has no such parent and no spans.
// Loaded only where traces are on: otherwise the drivers are as they came.
import { tracingChannel } from 'node:diagnostics_channel';
import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import pg from 'pg';

const tracer = trace.getTracer('vocabulary-quiz');

/** Has both drivers tell of what they are asked, from now on. */
export function traceStores(): void {
  traceRedis();
  tracePostgres();
}

/** What ioredis publishes of a command: its arguments too, which may hold secrets and are left out. */
interface RedisCommand {
  command: string;
  database: number;
  serverAddress: string;
  error?: unknown;
}

function traceRedis(): void {
  const spans = new WeakMap<RedisCommand, Span>();
  tracingChannel<'ioredis:command', RedisCommand>('ioredis:command').subscribe({
    start(message) {
      const { command, serverAddress } = message;
      const name = command.toUpperCase();
      const span = startSpan(name, {
        'db.system.name': 'redis',
        'db.operation.name': name,
        'server.address': serverAddress,
      });
      if (span) spans.set(message, span);
    },
    end() {},
    asyncStart() {},
    asyncEnd(message) {
      const span = spans.get(message);
      if (span) endSpan(span, message.error);
    },
    error() {},
  });
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

/** Statements carry placeholders, never values: their text may be told. */
function tracePostgres(): void {
  const query = pg.Client.prototype.query as Query;
  const traced: Query = function (...args) {
    const [statement] = args;
    const text = typeof statement === 'string' ? statement : (statement as pg.QueryConfig).text;
    const operation = /^\s*(\w+)/.exec(text ?? '')?.[1]?.toUpperCase() ?? 'SQL';
    const span = startSpan(operation, {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': text,
    });
    const result = query.apply(this, args);
    // With a callback there is nothing to wait for; neither Prisma nor this service uses one.
    if (span && result instanceof Promise)
      result.then(
        () => endSpan(span),
        (error: unknown) => endSpan(span, error ?? 'failed'),
      );
    else span?.end();
    return result;
  };
  Object.assign(pg.Client.prototype, { query: traced });
}

function startSpan(name: string, attributes: Attributes): Span | undefined {
  if (!trace.getActiveSpan()?.isRecording()) return undefined;
  return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
}

/** A driver's error carries what it was asked, so that only its name is told. */
function endSpan(span: Span, error?: unknown): void {
  if (error !== undefined) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute('error.type', error instanceof Error ? error.name : String(error));
  }
  span.end();
}
