// Records a span for each Redis command of a traced request, message or job, from the diagnostics channel of
// ioredis. It is loaded only when tracing is on.
import { tracingChannel } from 'node:diagnostics_channel';
import type { Span } from '@opentelemetry/api';
import { endStoreSpan, startStoreSpan } from '../observability/store-spans.ts';

/** A command on the channel. The message also has the arguments, which are not read since they may be secret. */
interface RedisCommand {
  command: string;
  database: number;
  serverAddress: string;
  error?: unknown;
}

/** Records spans of all further commands. */
export function traceRedis(): void {
  const spans = new WeakMap<RedisCommand, Span>();
  tracingChannel<'ioredis:command', RedisCommand>('ioredis:command').subscribe({
    start(message) {
      const { command, serverAddress } = message;
      const name = command.toUpperCase();
      const span = startStoreSpan(name, {
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
      if (span) endStoreSpan(span, message.error);
    },
    error() {},
  });
}
