// Logs one line for each request when it is answered; `request.log` adds the id that the client gets.
import type { FastifyInstance } from 'fastify';
import { loggablePath } from '../../platform/observability/logger.ts';

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
