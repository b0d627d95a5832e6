// Registers every route by hand, with the hooks of its scope: overload, authentication and rate limits. The hooks of
// all requests are in src/http/edge/edge.ts.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { registerExportRoutes } from './accounts/export/routes.ts';
import { registerInvitationRoutes } from './accounts/guests/invitation-routes.ts';
import { registerGuestRoutes } from './accounts/guests/routes.ts';
import { answerAttempt } from './assignments/answer-attempt.ts';
import { registerAssignmentRoutes } from './assignments/routes.ts';
import { registerAuthRoutes } from './auth/routes.ts';
import { registerUsers, requireUser } from './auth/sessions/session-guard.ts';
import { registerAsyncapi } from './docs/asyncapi/asyncapi.ts';
import { registerDocs } from './docs/docs.ts';
import { registerOpenapi } from './docs/openapi.ts';
import { createEdge } from './http/edge/edge.ts';
import { allowedOrigins } from './http/edge/security.ts';
import { registerHealth } from './http/health.ts';
import { createLimiter, isExemptFromAuthLimit } from './http/rate-limit.ts';
import { createReadLimit } from './http/reads.ts';
import { refuseNewWhenBusy } from './http/refuse-when-busy.ts';
import { registerWeb } from './http/web.ts';
import { registerLearningRoutes } from './learning/routes.ts';
import { registerLobbyLists, registerLobbyRoutes } from './lobby/routes.ts';
import { registerGameRoutes } from './match/routes.ts';
import { registerGateway } from './realtime/gateway.ts';
import type { Services } from './services.ts';
import { registerSingleplayerRoutes } from './singleplayer/routes.ts';
import { drawQuestions } from './vocabulary/draw-questions.ts';
import { registerListRoutes } from './vocabulary/lists/routes.ts';
import type { PlayableList } from './vocabulary/lists/store.ts';
import { registerVocabularyRoutes } from './vocabulary/routes.ts';
import type { Deck } from './vocabulary/schema.ts';
import type { AnswerMode } from './vocabulary/typed/schema.ts';

/** Builds the API of a replica, which does not listen yet. */
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
      const limiter = await createLimiter(scope, 'guest', { redis, limits });
      registerGuestRoutes(scope, { ...services, limiter });
    });
  await app.register(async (scope) => {
    scope.addHook(
      'onRequest',
      refuseNewWhenBusy(busy, () => true),
    );
    registerInvitationRoutes(scope, services);
  });
  const keyOf = (request: FastifyRequest) => request.user.id;
  const reads = createReadLimit();
  await app.register(async (scope) => {
    scope.addHook(
      'onRequest',
      refuseNewWhenBusy(busy, () => false),
    );
    scope.addHook('onRequest', requireUser(services));
    scope.addHook('onRequest', await createLimiter(scope, 'game', { redis, limits, keyOf }));
    reads.register(scope);
    registerVocabularyRoutes(scope, services);
    registerListRoutes(scope, services);
    registerLearningRoutes(scope, services);
    registerGameRoutes(scope, services);
    registerLobbyLists(scope, services);
    const { sessionTtlSeconds } = config;
    registerSingleplayerRoutes(scope, {
      ...services,
      sessionTtlSeconds,
      answerAttempt: (userId, request) => answerAttempt(services, userId, request),
    });
    registerAssignmentRoutes(scope, services);
  });
  await app.register(async (scope) => {
    scope.addHook(
      'onRequest',
      refuseNewWhenBusy(busy, () => true),
    );
    scope.addHook('onRequest', requireUser(services));
    scope.addHook('onRequest', await createLimiter(scope, 'lobby', { redis, limits, keyOf }));
    reads.register(scope);
    registerLobbyRoutes(scope, services);
  });
  await app.register(async (scope) => {
    scope.addHook(
      'onRequest',
      refuseNewWhenBusy(busy, () => true),
    );
    scope.addHook('onRequest', requireUser(services));
    scope.addHook('onRequest', await createLimiter(scope, 'export', { redis, limits, keyOf }));
    reads.register(scope);
    registerExportRoutes(scope, services);
  });
  await registerGateway(app, {
    ...services,
    drawQuestions: (words: Deck | PlayableList, count: number, options: { answerMode: AnswerMode }) =>
      drawQuestions(services, words, count, options),
    socketLimits: config.sockets,
    busyAfterMs: config.busyAfterMs,
    allowedOrigins: allowedOrigins(publicUrl, corsOrigins),
  });
  return app;
}
