// How a request's input is read and checked: JSON alone, in UTF-8, against the route's zod schemas.
// [contract 1, 10]
import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { validationFailed } from '../../validation.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Checks one part of a request; what it rejects becomes a 400 in our own words. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (input: unknown) => {
    const result = schema.safeParse(input);
    return result.success
      ? { value: result.data }
      : { error: validationFailed(result.error.issues) };
  };

/** Installs the JSON parser, and `{}` for a missing body. Scopes may replace the parser. */
export function registerInput(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const text = decode(body as Buffer);
    if (text === undefined) return done(new AppError('INVALID_JSON', 'The body is not UTF-8.'));
    if (text === '' && isOptional(bodySchema(request))) return done(null, undefined);
    return parseJson(request, text, done);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined && bodySchema(request)) request.body = {};
    done();
  });
}

function decode(body: Buffer): string | undefined {
  try {
    return utf8.decode(body);
  } catch {
    return undefined;
  }
}

function bodySchema(request: FastifyRequest): unknown {
  return request.routeOptions.schema?.body;
}

/** A missing body counts as `{}` where every field is optional. [contract 10] */
function isOptional(schema: unknown): boolean {
  return !(schema instanceof z.ZodType) || schema.safeParse({}).success;
}
