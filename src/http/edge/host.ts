// A request names its host, and once: where it does so twice, a proxy may believe the one and this service
// the other. [RFC 9112, 3.2]
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';

/** Refuses all others before anything else looks at them. */
export function registerHostCheck(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { rawHeaders, httpVersion } }, _reply, done) => {
    let hosts = 0;
    for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at] ?? '')) hosts++;
    if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return done();
    const count = hosts === 0 ? 'no' : 'more than one';
    done(new AppError('VALIDATION_FAILED', `The request names ${count} host.`));
  });
}

function isHost(name: string): boolean {
  return name.length === 'host'.length && name.toLowerCase() === 'host';
}
