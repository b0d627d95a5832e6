// Records a span for each request, named by the route's template. It continues the trace of a caller's `traceparent`.
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import { isTraced } from '../../platform/observability/tracing.ts';

const tracer = trace.getTracer('vocabulary-quiz');

/** Traces every request except health checks, if tracing is on. */
export function registerRequestTraces(app: FastifyInstance): void {
  if (!isTraced()) return;
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    if (route.startsWith('/api/health')) return done();
    const parent = propagation.extract(context.active(), request.headers);
    const span = tracer.startSpan(
      `${request.method} ${route}`,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': request.method, 'http.route': route } },
      parent,
    );
    reply.raw.once('close', () => {
      span.setAttribute('http.response.status_code', reply.statusCode);
      if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    context.with(trace.setSpan(parent, span), done);
  });
}
