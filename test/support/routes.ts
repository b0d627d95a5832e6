// Lists every route that a service has registered, for tests that cross all of them.
import type { FastifyInstance } from 'fastify';

export interface RegisteredRoute {
  method: string;
  /** The pattern, such as `/api/v1/games/:gameId`. */
  path: string;
}

/** @returns the routes of Fastify's own table, HEAD included, and those too that no document describes */
export function registeredRoutes(app: FastifyInstance): RegisteredRoute[] {
  const parents: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] = /^((?:[│ ] {3})*)[├└]── (\S*) \(([A-Z, ]+)\)$/.exec(line) ?? [];
      const depth = indent.length / 4;
      const path = (depth > 0 ? parents[depth - 1] : '') + part;
      parents[depth] = path;
      return methods.split(', ').map((method) => ({ method, path }));
    })
    .filter(({ method }) => method);
}
