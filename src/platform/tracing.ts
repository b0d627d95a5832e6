// Traces with OpenTelemetry: off by default, on by its standard OTEL_* variables, which the SDK
// reads itself. Without the SDK every function here does next to nothing.
import {
  type Attributes,
  context,
  type Link,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

const tracer = trace.getTracer('vocabulary-quiz');

let isTracing = false;

/** Whether anybody sees the spans: what makes them without that would still pay for each. */
export function isTraced(): boolean {
  return isTracing;
}

/**
 * Starts sending traces if `isOn`; only then the SDK is loaded and the stores' drivers are listened to.
 * @param serviceName for those who set no OTEL_SERVICE_NAME
 * @returns what sends the rest and stops
 */
export async function startTracing(
  isOn: boolean,
  serviceName: string,
): Promise<() => Promise<void>> {
  if (!isOn) return async () => {};
  isTracing = true;
  const [{ NodeSDK }, { traceStores }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('./store-spans.ts'),
  ]);
  // Metrics are Prometheus' and logs are pino's.
  const sdk = new NodeSDK({ serviceName, metricReaders: [], logRecordProcessors: [] });
  sdk.start();
  traceStores();
  return () => sdk.shutdown();
}

export interface SpanOptions {
  attributes?: Attributes;
  kind?: SpanKind;
  /** What caused this without waiting for it: its `traceparent`. */
  causedBy?: string | undefined;
}

/** Runs `act` within a span; what it throws is recorded and thrown on. */
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

/** @returns the present span as a W3C `traceparent`, to link to it later; undefined without tracing */
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
