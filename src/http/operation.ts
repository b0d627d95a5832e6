// Describes the operations of the API as data, and makes routes of them. The published description, the client library,
// the samples of /docs, and the tests that cross all operations are made of the same data. oRPC would serve all
// operations by one catch-all route with input, errors and limits of its own.
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchemaCompiler,
  onRequestAsyncHookHandler,
  RouteOptions,
} from 'fastify';
import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import type { Services } from '../services.ts';
import { validatorCompiler } from './edge/input.ts';
import { createLimiter, type LimiterName } from './rate-limit.ts';
import { type LoadKind, refuseNewWhenBusy } from './refuse-when-busy.ts';
import { createReadLimit } from './replies.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route serves, unless it serves files or better-auth's API. */
    operation?: Operation;
  }
}

export interface Operation {
  /** The `operationId` of the published description, and the name of the library's method. */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  tag: string;
  summary: string;
  description?: string;
  access: 'user' | 'anyone';
  /** The limiter that counts the requests: by user, or by client address where anyone has access. */
  limit?: LimiterName;
  /** The handler calls `takeCount`, since the limit depends on the body. */
  isCountedByHandler?: true;
  /** Which load refuses the operation; without it, it is never refused. */
  load?: LoadKind;
  params?: z.ZodType;
  query?: z.ZodType;
  /** The headers that the handler reads, in lower case; a request may have any others. */
  headers?: z.ZodType;
  body?: z.ZodType;
  bodyLimit?: number;
  /** The handler parses and validates the bytes of the body itself. */
  isBodyRaw?: true;
  /** The reply is a stream that counts as a socket: the route admits it as `/ws` does, and no hook of others applies. */
  isStream?: true;
  replies: Record<number, z.ZodType>;
  /** The schema of the 200 reply to a client that prefers CSV. */
  csv?: z.ZodType;
  /** How long clients may keep the reply, which has an `ETag` then. Otherwise they may not keep it. */
  cacheControl?: string;
  /** The path of what a 201 has created, with fields of its body, such as `/api/v1/lobbies/:code`. */
  location?: string;
  /** Those besides the ones of all operations with this access. */
  refusals?: readonly ErrorCode[];
}

type Row = Partial<Operation> & Pick<Operation, 'summary' | 'replies'> & { at: `${Operation['method']} /${string}` };
type Shared = Partial<Operation> & Pick<Operation, 'tag' | 'access'>;

/** @returns the operations by their ids; the types of their schemas decide those of their handlers */
export function describeOperations<const Rows extends Record<string, Row>>(shared: Shared, rows: Rows) {
  const operations = Object.entries<Row>(rows).map(([id, { at, ...row }]) => {
    const [method, path] = at.split(' ') as [Operation['method'], string];
    return [id, { ...shared, ...row, id, method, path }];
  });
  return Object.fromEntries(operations) as { [Id in keyof Rows]: Omit<Operation, keyof Rows[Id]> & Rows[Id] };
}

type Output<S> = S extends z.ZodType ? z.output<S> : unknown;

export type OperationRequest<O extends Operation> = FastifyRequest<{
  Params: Output<O['params']>;
  Querystring: Output<O['query']>;
  Headers: Output<O['headers']>;
  Body: O['isBodyRaw'] extends true ? unknown : Output<O['body']>;
}>;

type ReplyBody<O extends Operation> = Output<O['replies'][keyof O['replies']]>;

/** Returns the body, nothing for a 204, or the sent reply. An operation with several replies sets the status itself. */
type OperationHandler<O extends Operation> = (
  request: OperationRequest<O>,
  reply: FastifyReply,
) => Promise<ReplyBody<O> | FastifyReply> | (null extends ReplyBody<O> ? Promise<void> : never);

export interface Route {
  operation: Operation;
  options: RouteOptions;
}

export function route<O extends Operation>(operation: O, handler: OperationHandler<O>): Route {
  const { method, path, params, query, headers, body, bodyLimit, isBodyRaw, replies, csv, location } = operation;
  const statuses = Object.keys(replies).map(Number);
  const content = { 'application/json': { schema: replies[200] }, 'text/csv': { schema: csv } };
  const withCsv = { description: 'OK', content };
  const handle = handler as (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  const options: RouteOptions = {
    method,
    url: path,
    config: { operation },
    ...(bodyLimit && { bodyLimit }),
    // Fastify warns of schemas that are undefined.
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(headers && { headers }),
      ...(body && { body }),
      response: { ...replies, ...(csv && { 200: withCsv }) },
    },
    ...(isBodyRaw && { validatorCompiler: allButBodies as FastifySchemaCompiler<unknown> }),
    async handler(request, reply) {
      if (statuses.length === 1) reply.status(statuses[0] as number);
      const sent = await handle(request, reply);
      const fieldOf = (_: string, name: string) => `${(sent as Record<string, string>)[name]}`;
      if (location) reply.header('location', location.replace(/:(\w+)/g, fieldOf));
      return sent;
    },
  };
  return { operation, options };
}

/** Of a raw body, the schema only describes what the handler validates. */
const allButBodies: FastifySchemaCompiler<z.ZodType> = (part) =>
  part.httpPart === 'body' ? () => true : validatorCompiler(part);

export async function registerRoutes(
  app: FastifyInstance,
  deps: Pick<Services, 'config' | 'load' | 'redis'> & { requireUser: onRequestAsyncHookHandler },
  routes: Route[],
): Promise<void> {
  const { redis, requireUser } = deps;
  const { busyAfterMs, rateLimits: limits } = deps.config;
  const refuseWhenBusy = refuseNewWhenBusy({ load: deps.load, busyAfterMs });
  const limitReads = createReadLimit();
  const hooksOf = ({ operation: { access, limit, isCountedByHandler, isStream } }: Route) =>
    [access, limit, isCountedByHandler, isStream].join(' ');
  // Routes with the same hooks share a scope.
  for (const ofScope of Map.groupBy(routes, hooksOf).values()) {
    const { access, limit, isCountedByHandler, isStream } = (ofScope[0] as Route).operation;
    const isGuarded = access === 'user' && !isStream;
    await app.register(async (scope) => {
      scope.addHook('onRequest', refuseWhenBusy);
      if (isGuarded) scope.addHook('onRequest', requireUser);
      const keyOf = access === 'user' ? (request: FastifyRequest) => request.user.id : undefined;
      const limiter = limit && (await createLimiter(scope, limit, { redis, limits, ...(keyOf && { keyOf }) }));
      if (limiter && isCountedByHandler) countInHandler(scope, limiter);
      else if (limiter) scope.addHook('onRequest', limiter);
      if (isGuarded) limitReads(scope);
      for (const { options } of ofScope) scope.route(options);
    });
  }
}

/** They count the requests that no limiter has counted yet. */
const counts = new WeakMap<FastifyRequest, () => Promise<unknown>>();

/** @returns the function that counts a request; from now on nothing else does */
export function takeCount(request: FastifyRequest): () => Promise<unknown> {
  const count = counts.get(request) ?? (async () => {});
  counts.delete(request);
  return count;
}

/** A request that does not reach its handler, as one whose body can't be read, counts before its refusal. [contract 10] */
function countInHandler(scope: FastifyInstance, limiter: onRequestAsyncHookHandler): void {
  scope.addHook('onRequest', async (request, reply) => {
    counts.set(request, async () => limiter.call(scope, request, reply));
  });
  scope.setErrorHandler(async (error, request) => {
    await takeCount(request)();
    throw error;
  });
}
