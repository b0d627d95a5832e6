// Reads a request's body as JSON in UTF-8, validates all input against the route's zod schemas, and serialises the
// response by them. [contract 1, 10]
import fastJson, { type Schema } from 'fast-json-stringify';
import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
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
 * Refuses all fields of a query or body for which a route under /api/v1 has no schema. The schemas themselves refuse
 * unknown fields. Call it before the first route is registered. [contract 1, 10]
 */
export function registerClosedInput(app: FastifyInstance): void {
  app.addHook('preValidation', ({ routeOptions, query, body }, _reply, done) => {
    const { url, schema = {} } = routeOptions;
    if (!url?.startsWith(API)) return done();
    const undeclared = [schema.querystring ? undefined : query, schema.body ? undefined : body];
    const issues = undeclared.flatMap((input) => NOTHING.safeParse(input).error?.issues ?? []);
    done(issues.length > 0 ? validationFailed(issues) : undefined);
  });
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
