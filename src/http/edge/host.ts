// Refuses a request without exactly one `Host` header. With two, a proxy might use the one and this service the other.
// [RFC 9112, 3.2]
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';

/** Call it before hooks that read the host. HTTP/1.0 allows a request without a host. */
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
