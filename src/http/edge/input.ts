// Reads a request's body as JSON in UTF-8, validates all input against the route's zod schemas, and serialises the
// response by them. [contract 1, 10]

import fastJson, { type Schema } from 'fast-json-stringify';
import type {
  FastifyInstance,
  FastifyRequest,
  FastifySchemaCompiler,
  FastifySerializerCompiler,
  RouteOptions,
} from 'fastify';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { validationFailed } from '../../validation.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The headers in which a client says what it would like best. */
const PREFERENCES = ['accept', 'accept-charset', 'accept-encoding', 'accept-language'];

/** A browser's preferences have about 200 UTF-16 units. */
const PREFERENCE_MAX = 1000;

/** Validates one part of a request; invalid input becomes a 400 with this service's own messages. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (input: unknown) => {
    const result = schema.safeParse(input);
    return result.success ? { value: result.data } : { error: validationFailed(result.error.issues) };
  };

/** Installs the JSON parser, and makes a missing body `{}`. An operation may parse its bodies itself. */
export function registerInput(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (request.routeOptions.config.operation?.isBodyRaw) return done(null, body);
    let text: string;
    try {
      text = decodeUtf8(body as Buffer);
    } catch (error) {
      return done(error as AppError);
    }
    if (text === '' && isOptional(bodySchema(request))) return done(null, undefined);
    return parseJson(request, text, done);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined && bodySchema(request)) request.body = {};
    done();
  });
}

/**
 * Takes away preferences that are longer than anybody needs, so that no handler parses them, and the client gets what one
 * without a preference gets. Parsing 16 KiB of them would take milliseconds. [contract 17]
 */
export function registerPreferences(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    for (const name of PREFERENCES) if (String(headers[name] ?? '').length > PREFERENCE_MAX) delete headers[name];
    done();
  });
}

/** The routes whose input is closed. */
const API = '/api/v1/';

/** What a route without a schema takes. */
const NOTHING = z.strictObject({}).optional();

/**
 * Refuses what a route does not declare: unknown fields of a query or body, and ids in a path that are no UUIDs. A route
 * under /api/v1 whose schemas would let one of these through can't be registered, and one without a schema takes no
 * field at all. Call it before the first route is registered. [contract 1, 10]
 */
export function registerClosedInput(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith(API)) return;
    const gap = gapOf(route);
    if (gap) throw new Error(`${route.method} ${route.url}: ${gap}`);
  });
  app.addHook('preValidation', ({ routeOptions, query, body }, _reply, done) => {
    const { url, schema = {} } = routeOptions;
    if (!url?.startsWith(API)) return done();
    const undeclared = [schema.querystring ? undefined : query, schema.body ? undefined : body];
    const issues = undeclared.flatMap((input) => issuesOf(NOTHING, input));
    done(issues.length > 0 ? validationFailed(issues) : undefined);
  });
}

/** @returns why the schemas of a route accept what they should refuse; undefined where they don't */
function gapOf({ url, schema = {} }: RouteOptions): string | undefined {
  const { params, querystring, body } = schema;
  for (const part of [querystring, body])
    if (part && !choicesOf(part).every((choice) => issuesOf(choice, { 'an unknown field': '' }).some(isUnknownField)))
      return 'its schema drops unknown fields';
  const ids = [...url.matchAll(/:(\w*Id)\b/g)].map(([, name = '']) => name);
  const issues = issuesOf(params, Object.fromEntries(ids.map((name) => [name, 'x'])));
  if (ids.some((name) => !issues.some(({ path }) => path[0] === name)))
    return 'its schema accepts an id that is no UUID';
  return undefined;
}

function choicesOf(schema: unknown): readonly unknown[] {
  return schema instanceof z.ZodDiscriminatedUnion ? schema.options : [schema];
}

function issuesOf(schema: unknown, input: unknown): z.core.$ZodIssue[] {
  return schema instanceof z.ZodType ? (schema.safeParse(input).error?.issues ?? []) : [];
}

function isUnknownField({ code }: z.core.$ZodIssue): boolean {
  return code === 'unrecognized_keys';
}

/** @throws AppError INVALID_JSON when the bytes are not UTF-8 */
export function decodeUtf8(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new AppError('INVALID_JSON', 'The body is not UTF-8.');
  }
}

function bodySchema(request: FastifyRequest): unknown {
  return request.routeOptions.schema?.body;
}

/** @returns whether the body may be missing, since every field of it is optional [contract 10] */
function isOptional(schema: unknown): boolean {
  return !(schema instanceof z.ZodType) || schema.safeParse({}).success;
}

/** The serialisers by their schemas. */
const compiled = new WeakMap<z.ZodType, ReturnType<typeof compile>>();

/**
 * Serialises a response by its schema, so that a field which the schema does not name is never sent. It does not validate;
 * tests compare responses with the published description instead.
 * @returns the serialiser, which its first use compiles
 */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> = ({ schema }) => {
  const serializer = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, serializer);
  return serializer;
};

function compile(schema: z.ZodType) {
  return fastJson(z.toJSONSchema(schema, { io: 'output', reused: 'inline' }) as Schema);
}
