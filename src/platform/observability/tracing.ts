// Tracing with OpenTelemetry, which the standard OTEL_* variables turn on; the SDK reads them itself. While it is off,
// the functions of this file cost next to nothing.
import { tracingChannel } from 'node:diagnostics_channel';
import { context, propagation, SpanKind, type SpanOptions, SpanStatusCode, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('vocabulary-quiz');

let isTracing = false;

/** A caller that would create spans without need asks first. */
export const isTraced = () => isTracing;

/**
 * Call it before the stores are connected, so that their commands are traced. While tracing is off, no SDK is loaded.
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

/** Runs `act` within a span. @param options.causedBy the `traceparent` of a span that has caused it, for a link */
export async function inSpan<T>(
  name: string,
  options: SpanOptions & { causedBy?: string | undefined },
  act: () => Promise<T>,
): Promise<T> {
  if (!isTracing) return act();
  return tracer.startActiveSpan(name, { ...options, links: linksTo(options.causedBy) }, async (span) => {
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

function linksTo(traceparent: string | undefined) {
  const linked = traceparent && trace.getSpanContext(propagation.extract(context.active(), { traceparent }));
  return linked ? [{ context: linked }] : [];
}

/**
 * Begins the span of a command. @returns a function that ends it; undefined without a traced request, message or job.
 * Only the name of the command's failure is recorded, since its message may repeat values
 */
export function traceCommand(system: 'postgresql' | 'redis', name: string, more: Record<string, string>) {
  if (!trace.getActiveSpan()?.isRecording()) return undefined;
  const attributes = { 'db.system.name': system, 'db.operation.name': name, ...more };
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
  return (error?: unknown): void => {
    if (error !== undefined) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', error instanceof Error ? error.name : String(error));
    }
    span.end();
  };
}

/** A command on the channel. The message also has the arguments, which are not read since they may be secret. */
interface RedisCommand {
  command: string;
  serverAddress: string;
  error?: unknown;
}

function traceRedis(): void {
  const endings = new WeakMap<RedisCommand, ReturnType<typeof traceCommand>>();
  const ignore = () => {};
  tracingChannel<'ioredis:command', RedisCommand>('ioredis:command').subscribe({
    start(message) {
      const { command, serverAddress } = message;
      endings.set(message, traceCommand('redis', command.toUpperCase(), { 'server.address': serverAddress }));
    },
    asyncEnd: (message) => endings.get(message)?.(message.error),
    end: ignore,
    asyncStart: ignore,
    error: ignore,
  });
}
