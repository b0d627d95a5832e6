// Reads a request's body as JSON in UTF-8, validates all input against the route's zod schemas, and serialises the
// response by them. [contract 1, 10]
import fastJson, { type Schema } from 'fast-json-stringify';
import type {
  FastifyInstance,
  FastifySchemaCompiler,
  FastifySerializerCompiler,
  onRequestHookHandler,
  preValidationHookHandler,
} from 'fastify';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { validationFailed } from '../../validation.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
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

/** An operation may parse its bodies itself. */
export function registerJson(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const { config, schema } = request.routeOptions;
    if (config.operation?.isBodyRaw) return done(null, body);
    let text: string;
    try {
      text = decodeUtf8(body as Buffer);
    } catch (error) {
      return done(error as AppError);
    }
    if (text === '' && isOptional(schema?.body)) return done(null, undefined);
    return parseJson(request, text, done);
  });
}

/** Takes away preferences that are longer than anybody needs: parsing 16 KiB would take milliseconds. [contract 17] */
export const limitPreferences: onRequestHookHandler = ({ raw: { headers } }, _reply, done) => {
  for (const name of PREFERENCES) if (String(headers[name] ?? '').length > PREFERENCE_MAX) delete headers[name];
  done();
};

/** What a route without a schema takes. */
const NOTHING = z.strictObject({}).optional();

/** Makes a missing body `{}`, and refuses what a route under /api/v1 has no schema for. [contract 1, 10] */
export const closeInput: preValidationHookHandler = (request, _reply, done) => {
  const { url, schema = {} } = request.routeOptions;
  if (request.body === undefined && schema.body) request.body = {};
  if (!url?.startsWith('/api/v1/')) return done();
  const undeclared = [schema.querystring ? undefined : request.query, schema.body ? undefined : request.body];
  const issues = undeclared.flatMap((input) => NOTHING.safeParse(input).error?.issues ?? []);
  done(issues.length > 0 ? validationFailed(issues) : undefined);
};

/** @throws AppError INVALID_JSON when the bytes are not UTF-8 */
export function decodeUtf8(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new AppError('INVALID_JSON', 'The body is not UTF-8.');
  }
}

/** @returns whether the body may be missing, since every field of it is optional [contract 10] */
function isOptional(schema: unknown): boolean {
  return !(schema instanceof z.ZodType) || schema.safeParse({}).success;
}

const serializers = new WeakMap<z.ZodType, ReturnType<typeof fastJson>>();

/** Serialises by the schema, so that no other field is sent. Tests compare responses with the published description. */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> = ({ schema }) => {
  const toJson = () => fastJson(z.toJSONSchema(schema, { io: 'output', reused: 'inline' }) as Schema);
  const serializer = serializers.get(schema) ?? toJson();
  serializers.set(schema, serializer);
  return serializer;
};
