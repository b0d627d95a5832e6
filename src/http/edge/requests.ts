// Gives each request an id, a line in the log, a span, and a place in the metrics, whatever its route. [contract 1, 10]
import { randomUUID } from 'node:crypto';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import { loggablePath } from '../../platform/observability/logger.ts';
import { histogram } from '../../platform/observability/metrics.ts';
import { isTraced } from '../../platform/observability/tracing.ts';

const PLAUSIBLE_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The field of a log line with the id; a problem calls it the same. */
export const REQUEST_ID_LABEL = 'requestId';

/** @returns the client's own id when it is short and of harmless characters, a new one otherwise */
export function requestIdOf({ headers }: { headers: Record<string, string | string[] | undefined> }): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && PLAUSIBLE_ID.test(given) ? given : newRequestId();
}

/** @returns an id for a request that has none, even one too broken to have headers */
export function newRequestId(): string {
  return `req-${randomUUID()}`;
}

/** Sets the id on every response. Call it first, since an earlier hook could respond without it. */
export function registerRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
}

/** Health checks, which load balancers and Kubernetes request every few seconds; they are logged as `debug`. */
const QUIET_PATHS = new Set(['/api/health', '/api/health/ready', '/api/health/live']);

/** Logs health checks and refusals during an outage as `debug`, and everything else as `info`. */
export function registerRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const path = loggablePath(request.originalUrl);
    const line = {
      method: request.method,
      path,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      clientAddress: request.clientAddress,
    };
    // src/platform/outages/outage-log.ts counts what an outage refuses.
    const isQuiet = QUIET_PATHS.has(path) || reply.statusCode === 503;
    request.log[isQuiet ? 'debug' : 'info'](line, 'request');
    done();
  });
}

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

const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const durations = histogram(
  'http_request_duration_seconds',
  'Time from a request to the end of its answer.',
  BUCKETS_SECONDS,
  ['method', 'route', 'status'],
);

export function registerHttpMetrics(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { config, url: route = 'none' } = request.routeOptions;
    // A stream takes as long as its lobby is followed.
    if (config?.operation?.isStream && reply.statusCode === 200) return done();
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    durations.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
    done();
  });
}
