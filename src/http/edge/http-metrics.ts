// Measures the duration of requests. The label is the template of the route and never the address, so that the number
// of time series has a bound.
import type { FastifyInstance } from 'fastify';
import { histogram } from '../../platform/observability/metrics.ts';

const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const durations = histogram(
  'http_request_duration_seconds',
  'Time from a request to the end of its answer.',
  BUCKETS_SECONDS,
  ['method', 'route', 'status'],
);

/** Measures every request of `app`. */
export function registerHttpMetrics(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    durations.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
    done();
  });
}
