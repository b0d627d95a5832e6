// A request names its host once: where it does so twice, a proxy may believe the one and this service
// the other. [RFC 9112, 3.2]
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';

/** Refuses such requests before anything else looks at them; those without any, Node.js refuses. */
export function registerHostCheck(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { rawHeaders } }, _reply, done) => {
    let hosts = 0;
    for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at] ?? '')) hosts++;
    done(
      hosts > 1
        ? new AppError('VALIDATION_FAILED', 'The request names more than one host.')
        : undefined,
    );
  });
}

function isHost(name: string): boolean {
  return name.length === 'host'.length && name.toLowerCase() === 'host';
}
