// A minimal route for signed-in users on the real edge, for tests of the guard alone.
import { registerUsers, requireUser } from '../../src/auth/sessions/user-sessions.ts';
import { createEdge } from '../../src/http/edge/edge.ts';
import type { TestService } from './service.ts';

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
