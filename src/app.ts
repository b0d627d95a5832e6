// Every route, registered by hand, on one screen. What all requests pass first is in src/http/edge/edge.ts.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { registerGuestRoutes } from './auth/guests/routes.ts';
import { registerAuthRoutes } from './auth/routes.ts';
import { registerUsers, requireUser } from './auth/session-guard.ts';
import { registerDocs } from './http/documents/docs.ts';
import { registerOpenapi } from './http/documents/openapi.ts';
import { createEdge } from './http/edge/edge.ts';
import { allowedOrigins } from './http/edge/security.ts';
import { registerHealth } from './http/health.ts';
import {
  createLimiter,
  isExemptFromAuthLimit,
  type LimiterName,
  limiterKey,
} from './http/rate-limit.ts';
import { refuseNewWhenBusy } from './http/refuse-when-busy.ts';
import { registerWeb } from './http/web.ts';
import { registerLearningRoutes } from './learning/routes.ts';
import { registerLobbyRoutes } from './lobby/routes.ts';
import { registerGameRoutes } from './match/routes.ts';
import { randomInt } from './platform/random.ts';
import { registerAsyncapi } from './realtime/asyncapi.ts';
import { registerGateway } from './realtime/gateway.ts';
import type { Services } from './services.ts';
import { registerSingleplayerRoutes } from './singleplayer/routes.ts';
import { drawQuestions } from './vocabulary/draw-questions.ts';
import { registerListRoutes } from './vocabulary/lists/routes.ts';
import type { ListHead } from './vocabulary/lists/store.ts';
import { registerVocabularyRoutes } from './vocabulary/routes.ts';
import type { Deck } from './vocabulary/schema.ts';

/** Builds the API of one replica; it does not listen yet. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { auth, config, lifecycle, logger, redis } = services;
  const { corsOrigins, rateLimits: limits, trustProxy } = config;
  const { publicUrl } = config.auth;
  const busy = { load: services.load, busyAfterMs: config.busyAfterMs };
  const app = await createEdge({ logger, lifecycle, trustProxy, publicUrl, corsOrigins });
  await registerOpenapi(app, { version: config.version, publicUrl });
  registerAsyncapi(app, { version: config.version, publicUrl });
  registerDocs(app);
  if (config.webPage) registerWeb(app, config);

  registerHealth(app, { version: config.version, lifecycle, storeChecks: services.storeChecks });
  registerUsers(app);
  await app.register(async (scope) => {
    const isExempt = isExemptFromAuthLimit;
    scope.addHook(
      'onRequest',
      refuseNewWhenBusy(busy, (request) => !isExempt(request)),
    );
    const rateLimit = await createLimiter(scope, 'auth', { redis, limits, isExempt });
    registerAuthRoutes(scope, { auth, publicUrl, rateLimit });
  });
  if (config.guests)
    await app.register(async (scope) => {
      scope.addHook('onRequest', await createLimiter(scope, 'guest', { redis, limits }));
      registerGuestRoutes(scope, services);
    });
  const keyOf = (request: FastifyRequest) => request.counted ?? request.user.id;
  const guard = (name: LimiterName) =>
    requireUser(services, {
      keyOf: (userId) => limiterKey(name, userId),
      windowMs: limits.windowMs,
    });
  await app.register(async (scope) => {
    scope.addHook(
      'onRequest',
      refuseNewWhenBusy(busy, () => false),
    );
    scope.addHook('onRequest', guard('game'));
    scope.addHook('onRequest', await createLimiter(scope, 'game', { redis, limits, keyOf }));
    registerVocabularyRoutes(scope, services);
    registerListRoutes(scope, services);
    registerLearningRoutes(scope, services);
    registerGameRoutes(scope, services);
    const { sessionTtlSeconds } = config;
    registerSingleplayerRoutes(scope, { ...services, random: randomInt, sessionTtlSeconds });
  });
  await app.register(async (scope) => {
    scope.addHook(
      'onRequest',
      refuseNewWhenBusy(busy, () => true),
    );
    scope.addHook('onRequest', guard('lobby'));
    scope.addHook('onRequest', await createLimiter(scope, 'lobby', { redis, limits, keyOf }));
    registerLobbyRoutes(scope, services);
  });
  await registerGateway(app, {
    ...services,
    drawQuestions: (words: Deck | ListHead, count: number) =>
      drawQuestions({ ...services, random: randomInt }, words, count),
    socketLimits: config.sockets,
    busyAfterMs: config.busyAfterMs,
    allowedOrigins: allowedOrigins(publicUrl, corsOrigins),
  });
  return app;
}
