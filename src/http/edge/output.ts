// How an answer's body is written: as the route's zod schema describes it, so that a field that the
// schema doesn't name can't slip out. Compiled once a route; whether what we say fits what we publish
// is the tests' business, not that of every request.
import fastJson, { type Schema } from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';
import { z } from 'zod';

/** Writes one kind of answer. */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> = ({ schema }) =>
  fastJson(z.toJSONSchema(schema, { io: 'output', reused: 'inline' }) as Schema);
