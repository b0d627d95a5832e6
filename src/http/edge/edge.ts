// The edge that every request passes, whatever its route: id, log line, metrics, security headers,
// input, refusals. src/app.ts puts the routes behind it.
import type { Server, ServerResponse } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  LogController,
} from 'fastify';
import type { Logger } from '../../platform/logger.ts';
import { registerProblems, sendProblem } from '../problems/problem.ts';
import { refuseBrokenRequest } from './broken-request.ts';
import { createConstantHeaders } from './constant-headers.ts';
import { registerDraining } from './drain.ts';
import { registerHostCheck } from './host.ts';
import { registerHttpMetrics } from './http-metrics.ts';
import { registerInput, validatorCompiler } from './input.ts';
import { registerNoStore } from './no-store.ts';
import { serializerCompiler } from './output.ts';
import { REQUEST_ID_LABEL, registerRequestIds, requestIdOf } from './request-id.ts';
import { registerRequestLog } from './request-log.ts';
import { requestLogger } from './request-logger.ts';
import { registerRequestTraces } from './request-trace.ts';
import { allowedOrigins, constantHeaders, registerCors, registerOriginGuard } from './security.ts';
import { registerUnknownRoutes, rewriteMalformedUrl } from './unknown-route.ts';

const BODY_LIMIT_BYTES = 64 * 1024;
/** How long a request may take to arrive; looked at so often that none takes half a minute. */
const REQUEST_TIMEOUT_MS = 28_000;
const TIMEOUT_CHECK_MS = 1000;
/** Longer than any address that Node.js accepts. */
const MAX_PARAM_LENGTH = 64 * 1024;

export interface EdgeDeps {
  logger: Logger;
  lifecycle: { readonly draining: boolean };
  /** The proxies whose X-Forwarded-For is believed; none: nobody. */
  trustProxy: string[];
  /** The service's own origin. */
  publicUrl: string;
  /** Origins that may call with credentials. */
  corsOrigins: string[];
}

/** @returns an HTTP server without routes; the order of the registrations is the order of the hooks */
export async function createEdge(deps: EdgeDeps): Promise<FastifyInstance> {
  const constant = createConstantHeaders(await constantHeaders(deps.publicUrl));
  const app: FastifyInstance = Fastify(serverOptions(deps, constant.ServerResponse));
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setChildLoggerFactory(requestLogger);
  registerRequestIds(app);
  registerRequestTraces(app);
  registerRequestLog(app);
  registerHttpMetrics(app);
  registerDraining(app, deps.lifecycle);
  registerProblems(app);
  registerNoStore(app);
  constant.register(app);
  registerHostCheck(app);
  registerUnknownRoutes(app);
  await registerCors(app, deps.corsOrigins);
  registerOriginGuard(app, allowedOrigins(deps.publicUrl, deps.corsOrigins));
  registerInput(app);
  // Whatever else a request expects of us, it is answered; Node.js would refuse it, without a problem.
  app.server.on('checkExpectation', app.routing);
  return app;
}

function serverOptions({ logger, trustProxy }: EdgeDeps, Answer: typeof ServerResponse) {
  return {
    loggerInstance: logger as FastifyBaseLogger,
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Node.js takes the longer of two timeouts for the whole request: its default is a minute.
    http: {
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      ServerResponse: Answer,
      // Whoever names none is refused by a hook, with a problem.
      requireHostHeader: false,
    },
    genReqId: requestIdOf,
    // One line a request instead of two: src/http/request-log.ts writes it.
    logController: new LogController({
      requestIdLogLabel: REQUEST_ID_LABEL,
      disableRequestLogging: true,
    }),
    // A lobby code of any length is a code that doesn't exist, not an unknown route.
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    rewriteUrl: rewriteMalformedUrl,
    frameworkErrors: (error, request, reply) => void sendProblem(request, reply, error),
    clientErrorHandler: (error, socket) => refuseBrokenRequest(error, socket, logger),
    // While it drains, a request that still arrives is still answered.
    return503OnClosing: false,
  } satisfies FastifyHttpOptions<Server>;
}
