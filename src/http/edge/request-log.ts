// One line a request, when it is answered, with the id that the client got.
import type { FastifyInstance } from 'fastify';
import { type Logger, loggablePath } from '../../platform/logger.ts';
import { REQUEST_ID_LABEL } from './request-id.ts';

/** Asked every few seconds by whatever runs the service. */
const QUIET_PATHS = new Set(['/api/health', '/api/health/ready', '/api/health/live']);

/** Writes the line; `debug` for health checks and outages, `info` for everything else. */
export function registerRequestLog(app: FastifyInstance): void {
  // Nothing in these lines is secret: looking for it would cost more than all else about them.
  const logger = (app.log as Logger).child({}, { redact: [] });
  app.addHook('onResponse', (request, reply, done) => {
    const path = loggablePath(request.originalUrl);
    const line = {
      [REQUEST_ID_LABEL]: request.id,
      method: request.method,
      path,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      clientAddress: request.ip,
    };
    // What an outage refuses is counted: src/platform/outage-log.ts.
    const isQuiet = QUIET_PATHS.has(path) || reply.statusCode === 503;
    logger[isQuiet ? 'debug' : 'info'](line, 'request');
    done();
  });
}
