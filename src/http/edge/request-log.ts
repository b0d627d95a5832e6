// One line a request, when it is answered, with the id that the client got.
import type { FastifyInstance } from 'fastify';
import { loggablePath } from '../../platform/logger.ts';

/** Asked every few seconds by whatever runs the service. */
const QUIET_PATHS = new Set(['/api/health', '/api/health/live']);

/** Writes the line; `debug` for health checks, `info` for everything else. */
export function registerRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const path = loggablePath(request.originalUrl);
    const line = {
      method: request.method,
      path,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      clientAddress: request.ip,
    };
    request.log[QUIET_PATHS.has(path) ? 'debug' : 'info'](line, 'request');
  });
}
