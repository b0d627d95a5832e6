// Gives each request an id, a line in the log, a span, and a place in the metrics, whatever its route. [contract 1, 10]
import { randomUUID } from 'node:crypto';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { onRequestHookHandler, onResponseHookHandler } from 'fastify';
import { loggablePath } from '../../platform/observability/logger.ts';
import { histogram } from '../../platform/observability/metrics.ts';

/** A client's own id is kept when it is short and of harmless characters. */
const PLAUSIBLE_ID = /^[A-Za-z0-9._-]{1,64}$/;
/** The field of a log line with the id; a problem calls it the same. */
export const REQUEST_ID_LABEL = 'requestId';

export function requestIdOf({ headers }: { headers: Record<string, string | string[] | undefined> }): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && PLAUSIBLE_ID.test(given) ? given : newRequestId();
}

export const newRequestId = () => `req-${randomUUID()}`;
/** Load balancers and Kubernetes request these routes every few seconds. */
const HEALTH_CHECKS = '/api/health';
const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const durations = histogram(
  'http_request_duration_seconds',
  'Time from a request to the end of its answer.',
  BUCKETS_SECONDS,
  ['method', 'route', 'status'],
);

/** Logs and measures each request. Health checks and refusals during an outage are logged as `debug`. */
export const logRequest: onResponseHookHandler = (request, reply, done) => {
  const { method, clientAddress, routeOptions } = request;
  const { statusCode: status, elapsedTime } = reply;
  const path = loggablePath(request.originalUrl);
  const line = { method, path, status, durationMs: Math.round(elapsedTime * 10) / 10, clientAddress };
  const { config, url: route = 'none' } = routeOptions;
  // src/platform/outages/outage-log.ts counts what an outage refuses.
  const isQuiet = route.startsWith(HEALTH_CHECKS) || status === 503;
  request.log[isQuiet ? 'debug' : 'info'](line, 'request');
  // A stream takes as long as its lobby is followed.
  if (config?.operation?.isStream && status === 200) return done();
  durations.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, elapsedTime / 1000);
  done();
};

const tracer = trace.getTracer('vocabulary-quiz');

/** Traces every request except health checks. */
export const traceRequest: onRequestHookHandler = (request, reply, done) => {
  const route = request.routeOptions.url ?? 'none';
  if (route.startsWith(HEALTH_CHECKS)) return done();
  const parent = propagation.extract(context.active(), request.headers);
  const attributes = { 'http.request.method': request.method, 'http.route': route };
  const span = tracer.startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
  reply.raw.once('close', () => {
    span.setAttribute('http.response.status_code', reply.statusCode);
    if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
  context.with(trace.setSpan(parent, span), done);
};
