// Serialises response bodies by the route's zod schema, so that a field which the schema does not name is never sent.
// The serialiser is compiled once for each route and does not validate; tests compare responses with the published
// description instead.
import fastJson, { type Schema } from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';
import { z } from 'zod';

/** Compiles the serialiser of one response schema. */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> = ({ schema }) =>
  fastJson(z.toJSONSchema(schema, { io: 'output', reused: 'inline' }) as Schema);
