// Creates the HTTP server with the hooks that every request passes, whatever its route: id, log line, metrics, security
// headers, input and refusals. src/app.ts adds the routes.
import type { Server } from 'node:http';
import cors from '@fastify/cors';
import Fastify, { type FastifyBaseLogger, type FastifyHttpOptions, type FastifyInstance, LogController } from 'fastify';
import { BUDGETS } from '../../budgets.ts';
import type { Config } from '../../config.ts';
import { isTraced } from '../../platform/observability/tracing.ts';
import type { Services } from '../../services.ts';
import { type BodyTimes, registerBodies } from '../bodies.ts';
import { noteClientAddress } from '../client-address.ts';
import { sendProblem } from '../problems/problem.ts';
import { isSocketUpgrade, registerUnknownRoutes, rewriteMalformedUrl } from '../problems/unknown-route.ts';
import { registerReplies } from '../replies.ts';
import { refuseBrokenRequest, watchConnections } from './connections.ts';
import * as input from './input.ts';
import * as requests from './requests.ts';
import * as security from './security.ts';

/** A request that has not arrived after this many ms is refused with 408; the contract promises 30 s. */
const REQUEST_TIMEOUT_MS = 28_000;
/** How often Node.js looks for requests that have timed out. */
const TIMEOUT_CHECK_MS = 1000;
const PREFLIGHT_MAX_AGE_SECONDS = 3600;
/** The longest parameter of a path; it exceeds any address that Node.js accepts. */
const MAX_PARAM_LENGTH = 64 * 1024;

export interface EdgeOptions
  extends Pick<Services, 'logger' | 'lifecycle'>,
    Pick<Config, 'corsOrigins' | 'trustProxy'> {
  publicUrl: string;
  bodyTimes?: BodyTimes;
}

/** @returns an HTTP server without routes; its hooks run in the order of the registrations here */
export async function createEdge(options: EdgeOptions): Promise<FastifyInstance> {
  const { bodyTimes, corsOrigins, lifecycle, publicUrl } = options;
  const headers = await security.securityHeaders(publicUrl);
  const hasSockets = () => app.server.listenerCount('upgrade') > 0;
  const app: FastifyInstance = Fastify(serverOptions(options, headers, hasSockets));
  app.setValidatorCompiler(input.validatorCompiler);
  app.setSerializerCompiler(input.serializerCompiler);
  app.decorateRequest('clientAddress', '');
  app.addHook('onRequest', noteClientAddress);
  app.addHook('onRequest', (request, reply, done) => {
    // A handler may replace these headers.
    reply.headers(headers).header('x-request-id', request.id);
    done();
  });
  if (isTraced()) app.addHook('onRequest', requests.traceRequest);
  app.addHook('onResponse', requests.logRequest);
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (lifecycle.draining) reply.header('connection', 'close');
    done();
  });
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, error));
  app.addHook('onSend', security.forbidStoring);
  registerReplies(app);
  app.addHook('onRequest', security.requireOneHost);
  app.addHook('onRequest', input.limitPreferences);
  registerUnknownRoutes(app);
  // This answers preflights before authentication, and allows each header that they ask for.
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
  await app.register(cors, { origin: corsOrigins, methods, maxAge: PREFLIGHT_MAX_AGE_SECONDS });
  app.addHook('onRequest', security.refuseOtherOrigins(security.allowedOrigins(publicUrl, corsOrigins)));
  input.registerJson(app);
  registerBodies(app, bodyTimes);
  app.addHook('preValidation', input.closeInput);
  // Node.js itself would refuse a request with an unknown `Expect` header, without a problem.
  app.server.on('checkExpectation', app.routing);
  const connections = watchConnections(app.server);
  app.addHook('preClose', (done) => {
    connections.stop();
    done();
  });
  app.addHook('preValidation', (request, _reply, done) => {
    // These have limits of their own.
    if (request.ws || request.routeOptions.config.operation?.isStream) connections.release(request.raw.socket);
    done();
  });
  return app;
}

function serverOptions({ logger, trustProxy }: EdgeOptions, headers: object, hasSockets: () => boolean) {
  return {
    loggerInstance: logger as FastifyBaseLogger,
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    bodyLimit: BUDGETS.body.max,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Node.js applies the longer of both timeouts to the whole request, and the default of this one is a minute.
    http: {
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // A client that offers another protocol, as Java's offers HTTP/2, gets its reply by HTTP/1.1. After an upgrade
      // Node.js would not read the body.
      shouldUpgradeCallback: (request) => isSocketUpgrade(request) && hasSockets(),
      // A hook of security.ts refuses a request without a host, and replies with a problem.
      requireHostHeader: false,
    },
    genReqId: requests.requestIdOf,
    // requests.ts writes one line for each request instead of Fastify's two.
    logController: new LogController({ requestIdLogLabel: requests.REQUEST_ID_LABEL, disableRequestLogging: true }),
    // A lobby code of any length is a code that doesn't exist, not an unknown route.
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    rewriteUrl: rewriteMalformedUrl,
    // No hook runs before these two handlers, so that they set the headers of every response themselves.
    frameworkErrors: (error, request, reply) => void sendProblem(request, reply.headers(headers), error),
    clientErrorHandler: (error, socket) => refuseBrokenRequest(error, socket, logger, headers),
    // A request that arrives while the server closes is still answered.
    return503OnClosing: false,
  } satisfies FastifyHttpOptions<Server>;
}
