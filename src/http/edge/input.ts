// Reads a request's body as JSON in UTF-8, and validates all input against the route's zod schemas. [contract 1, 10]
import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { validationFailed } from '../../validation.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Validates one part of a request; invalid input becomes a 400 with this service's own messages. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (input: unknown) => {
    const result = schema.safeParse(input);
    return result.success
      ? { value: result.data }
      : { error: validationFailed(result.error.issues) };
  };

/** Installs the JSON parser, and makes a missing body `{}`. A scope may replace the parser. */
export function registerInput(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
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
