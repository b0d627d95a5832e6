// Tracing with OpenTelemetry. It is off by default and turned on by the standard OTEL_* variables, which the SDK
// reads itself. While it is off, the functions of this file cost next to nothing.
import { tracingChannel } from 'node:diagnostics_channel';
import {
  type Attributes,
  context,
  type Link,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

const tracer = trace.getTracer('vocabulary-quiz');

let isTracing = false;

/** @returns whether tracing is on; a caller that would create spans without need asks first */
export function isTraced(): boolean {
  return isTracing;
}

/**
 * Starts to send traces if `isOn`; otherwise the SDK is not even loaded. It must be called before the stores are
 * connected, so that their commands are traced.
 * @param serviceName is used unless OTEL_SERVICE_NAME is set
 * @returns a function that sends the remaining spans and stops
 */
export async function startTracing(isOn: boolean, serviceName: string): Promise<() => Promise<void>> {
  if (!isOn) return async () => {};
  isTracing = true;
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  // Metrics are exposed to Prometheus and logs are written by pino, so that the SDK exports traces alone.
  const sdk = new NodeSDK({ serviceName, metricReaders: [], logRecordProcessors: [] });
  sdk.start();
  traceRedis();
  return () => sdk.shutdown();
}

interface SpanOptions {
  attributes?: Attributes;
  kind?: SpanKind;
  /** The `traceparent` of the span that has caused this one without waiting for it; the spans are linked. */
  causedBy?: string | undefined;
}

/** Runs `act` within a span, records what it throws, and throws it again. */
export async function inSpan<T>(
  name: string,
  { attributes = {}, kind = SpanKind.INTERNAL, causedBy }: SpanOptions,
  act: () => Promise<T>,
): Promise<T> {
  if (!isTracing) return act();
  const options = { attributes, kind, links: linksTo(causedBy) };
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await act();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      if (error instanceof Error) span.recordException(error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** @returns the active span as a W3C `traceparent`, to link to it later; undefined without tracing */
export function currentTraceparent(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

function linksTo(traceparent: string | undefined): Link[] {
  if (!traceparent) return [];
  const linked = trace.getSpanContext(propagation.extract(context.active(), { traceparent }));
  return linked ? [{ context: linked }] : [];
}

/** @returns the span of a command, or undefined without a traced request, message or job */
export function startStoreSpan(name: string, attributes: Attributes): Span | undefined {
  if (!trace.getActiveSpan()?.isRecording()) return undefined;
  return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
}

/** @param error the failure of the command; only its name is recorded, since its message may repeat values */
export function endStoreSpan(span: Span, error?: unknown): void {
  if (error !== undefined) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute('error.type', error instanceof Error ? error.name : String(error));
  }
  span.end();
}

/** A command on the channel. The message also has the arguments, which are not read since they may be secret. */
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
