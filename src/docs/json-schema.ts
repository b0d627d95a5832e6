// Adapts zod's JSON Schemas for readers of the published descriptions: it removes the bounds of JavaScript's
// integers and patterns beside formats, and adds the examples that zod leaves out. Replies are open. [contract 1]
import { z } from 'zod';

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>;

const input: Override = ({ zodSchema, jsonSchema }) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format) delete jsonSchema.pattern;
  // Any further field may be there, which is what a schema means that says nothing of them.
  if (JSON.stringify(jsonSchema.additionalProperties) === '{}') delete jsonSchema.additionalProperties;
  // zod leaves out the examples of a schema with a transformation, since it takes them for examples of the
  // output; here they are examples of the input.
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (examples && !jsonSchema.$ref) jsonSchema.examples = examples as unknown[];
};

const output: Override = (context) => {
  input(context);
  // A client ignores fields that it does not know, which new versions may add.
  if (context.jsonSchema.additionalProperties === false) delete context.jsonSchema.additionalProperties;
};

/** The option `override` of `z.toJSONSchema`, for what clients send and for what they get. */
export const withoutNoise = { input, output };

/** @returns the schemas that have a name, as JSON Schemas by these names */
export function namedSchemas(io: 'input' | 'output', target: 'draft-7' | 'draft-2020-12'): Record<string, object> {
  const uri = (id: string) => `#/components/schemas/${id}`;
  const options = { target, io, uri, unrepresentable: 'any', override: withoutNoise[io] } as const;
  const { schemas } = z.toJSONSchema(z.globalRegistry, options);
  return Object.fromEntries(Object.entries(schemas).map(([name, { $id, $schema, ...schema }]) => [name, schema]));
}

export function namesIn(text: string): string[] {
  return [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
}

/** @returns these names of schemas and those to which their schemas refer, directly or not */
export function reachedFrom(names: Iterable<string>, schemas: Record<string, object>): Set<string> {
  const reached = new Set(names);
  // The iteration includes the elements that it adds to the set.
  for (const name of reached) for (const other of namesIn(JSON.stringify(schemas[name]))) reached.add(other);
  return reached;
}
