// Forbids caches to store responses with data of a user, so that neither a proxy nor the browser of a shared machine
// keeps them. It applies to all responses under /api/v1 and /api/auth, refusals included. [contract 17]
import type { FastifyInstance, FastifyRequest } from 'fastify';

const PRIVATE_PATH = /^\/api\/(v1|auth)(?![^/])/;

/** Sets `cache-control: no-store` on these responses, whatever the route has set. */
export function registerNoStore(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (isPrivate(request)) reply.header('cache-control', 'no-store');
    done();
  });
}

/** The route's template covers every spelling of an address; an address without a route is tested itself. */
function isPrivate({ routeOptions, originalUrl }: FastifyRequest): boolean {
  return PRIVATE_PATH.test(routeOptions.url ?? '') || PRIVATE_PATH.test(pathOf(originalUrl));
}

/** @returns the decoded path; unchanged where it is not validly percent-encoded */
function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]*/i, '').replace(/[?#].*$/s, '');
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
