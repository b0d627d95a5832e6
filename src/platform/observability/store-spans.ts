// Creates the spans of all store commands. A command has one only within a traced request, message or job, so that
// the process's own polls, sweeps and scrapes have none.
import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('vocabulary-quiz');

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
