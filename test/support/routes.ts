// Lists every route that a service has registered, for tests that cross all of them.
import type { FastifyInstance } from 'fastify';
import { registerUsers, requireUser } from '../../src/auth/sessions/user-sessions.ts';
import { createEdge } from '../../src/http/edge/edge.ts';
import type { TestService } from './service.ts';

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

export interface GuardedRoute {
  /** @returns the route's response to a request with this Cookie header */
  ask(cookie: string): Promise<{ status: number; body: unknown; setCookies: string[] }>;
  close(): Promise<void>;
}

/** Creates a route that responds with the user; it uses the services of a replica. */
export async function createGuardedRoute({
  services,
  config,
}: Pick<TestService, 'services' | 'config'>): Promise<GuardedRoute> {
  const { corsOrigins, trustProxy, auth } = config;
  const { publicUrl } = auth;
  const app = await createEdge({ ...services, corsOrigins, trustProxy, publicUrl });
  registerUsers(app);
  app.get('/whoami', { onRequest: requireUser(services) }, async ({ user }) => user);
  return {
    async ask(cookie) {
      const answer = await app.inject({ url: '/whoami', headers: { cookie } });
      return {
        status: answer.statusCode,
        body: answer.json(),
        setCookies: [answer.headers['set-cookie'] ?? []].flat(),
      };
    },
    close: () => app.close(),
  };
}
