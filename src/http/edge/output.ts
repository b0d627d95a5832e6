// Serialises response bodies by the route's zod schema, so that a field which the schema does not name is never sent.
// The serialiser does not validate; tests compare responses with the published description instead.
import fastJson, { type Schema } from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';
import { z } from 'zod';

/** The serialisers by their schemas. All routes share the schema of a problem. */
const compiled = new WeakMap<z.ZodType, ReturnType<typeof compile>>();

/** @returns the serialiser of a response schema, which its first use compiles */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> = ({ schema }) => {
  const serializer = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, serializer);
  return serializer;
};

function compile(schema: z.ZodType) {
  return fastJson(z.toJSONSchema(schema, { io: 'output', reused: 'inline' }) as Schema);
}
