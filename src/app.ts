// Builds the API of a replica: the edge, the documents, better-auth, all operations, and the socket.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { accountRoutes, guestRoutes } from './accounts/routes.ts';
import { assignmentRoutes } from './assignments/routes.ts';
import { answerAttempt } from './assignments/take-attempt.ts';
import { registerAuthRoutes } from './auth/routes.ts';
import { registerUsers, requireUser } from './auth/sessions/user-sessions.ts';
import { descriptionRoutes, registerDocs } from './docs/docs.ts';
import { createEdge } from './http/edge/edge.ts';
import { healthRoutes } from './http/health.ts';
import { type Route, registerRoutes } from './http/operation.ts';
import { createLimiter, isExemptFromAuthLimit } from './http/rate-limit.ts';
import { refuseNewWhenBusy } from './http/refuse-when-busy.ts';
import { registerWeb } from './http/web.ts';
import { learningRoutes } from './learning/routes.ts';
import { lobbyRoutes } from './lobby/routes.ts';
import { gameRoutes } from './match/routes.ts';
import { createGateway, type Gateway } from './realtime/gateway.ts';
import { realtimeRoutes, registerSocket } from './realtime/routes.ts';
import type { Services } from './services.ts';
import { singleplayerRoutes } from './singleplayer/routes.ts';
import { vocabularyRoutes } from './vocabulary/routes.ts';

/** @returns the API, which does not listen yet */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { auth, config, lifecycle, load, logger, redis } = services;
  const { busyAfterMs, corsOrigins, rateLimits: limits, trustProxy } = config;
  const { publicUrl } = config.auth;
  const app = await createEdge({ logger, lifecycle, trustProxy, publicUrl, corsOrigins });
  registerDocs(app);
  if (config.webPage) registerWeb(app, config);

  registerUsers(app);
  await app.register(async (scope) => {
    const isExempt = isExemptFromAuthLimit;
    const kindOf = (request: FastifyRequest) => (isExempt(request) ? 'new' : 'new-sql');
    scope.addHook('onRequest', refuseNewWhenBusy({ load, busyAfterMs }, kindOf));
    const rateLimit = await createLimiter(scope, 'auth', { redis, limits, isExempt });
    registerAuthRoutes(scope, { auth, publicUrl, rateLimit });
  });
  const gateway = createGateway(services);
  const routes = routesOf(services, gateway);
  const operations = routes.map(({ operation }) => operation);
  routes.push(...descriptionRoutes({ version: config.version, publicUrl }, operations));
  await registerRoutes(app, { ...services, requireUser: requireUser(services) }, routes);
  await registerSocket(app, gateway);
  return app;
}

function routesOf(services: Services, gateway: Gateway): Route[] {
  const { version, guests } = services.config;
  return [
    ...healthRoutes({ ...services, version }),
    ...(guests ? guestRoutes(services) : []),
    ...accountRoutes(services),
    ...vocabularyRoutes(services),
    ...learningRoutes(services),
    ...gameRoutes(services),
    ...lobbyRoutes(services),
    ...realtimeRoutes(gateway, services),
    ...singleplayerRoutes(services, answerAttempt),
    ...assignmentRoutes(services),
  ];
}
