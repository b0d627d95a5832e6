// What belongs to one user is kept by no cache on the way, nor by the browser of a machine that others
// use after: whatever is answered under these addresses, refusals too. [contract 17]
import type { FastifyInstance, FastifyRequest } from 'fastify';

const NEVER_KEPT = /^\/api\/(v1|auth)(?![^/])/;

/** Has every answer under /api/v1 and /api/auth say so, whatever its route has to say of it. */
export function registerNoStore(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (isNeverKept(request)) reply.header('cache-control', 'no-store');
    done();
  });
}

/** A route's template says it for each way to write an address; what no route serves has none. */
function isNeverKept({ routeOptions, originalUrl }: FastifyRequest): boolean {
  return NEVER_KEPT.test(routeOptions.url ?? '') || NEVER_KEPT.test(pathOf(originalUrl));
}

/** @returns the path as a router reads it; as it is where it is not validly encoded */
function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]*/i, '').replace(/[?#].*$/s, '');
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
