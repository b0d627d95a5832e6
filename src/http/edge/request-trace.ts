// A span a request, named by the route's template; a caller's `traceparent` is continued.
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import { isTraced } from '../../platform/tracing.ts';

const tracer = trace.getTracer('vocabulary-quiz');

/** Traces every request of `app`, if traces are on; health checks are not worth a span. */
export function registerRequestTraces(app: FastifyInstance): void {
  if (!isTraced()) return;
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    if (route.startsWith('/api/health')) return done();
    const parent = propagation.extract(context.active(), request.headers);
    const span = tracer.startSpan(
      `${request.method} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: { 'http.request.method': request.method, 'http.route': route },
      },
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
