// Adapts zod's JSON Schemas for readers of the published descriptions: it removes the bounds of JavaScript's
// integers and patterns beside formats, and adds examples, also those that zod leaves out. Replies are open. [contract 1]
import { z } from 'zod';

export type Schema = z.core.JSONSchema.JSONSchema;
export type Schemas = Record<string, Schema>;

/** What clients send, in which a field with a default may be missing, and what they get. */
export type Io = 'input' | 'output';

/** @returns options of `z.toJSONSchema` */
export const optionsOf = (io: Io) =>
  ({
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.format) delete jsonSchema.pattern;
      // A schema that says nothing of further fields allows them. A client ignores those that new versions add.
      const further = JSON.stringify(jsonSchema.additionalProperties);
      if (further === '{}' || (further === 'false' && io === 'output')) delete jsonSchema.additionalProperties;
      // zod leaves out the examples of a schema with a transformation, since it takes them for examples of the
      // output; here they are examples of the input.
      const { examples } = z.globalRegistry.get(zodSchema) ?? {};
      if (examples && !jsonSchema.$ref) jsonSchema.examples = examples as unknown[];
    },
  }) satisfies z.core.ToJSONSchemaParams;

/** @returns the schemas that have a name, by these names */
export function namedSchemas(io: Io, target: 'draft-7' | 'draft-2020-12'): Schemas {
  const uri = (id: string) => `#/components/schemas/${id}`;
  const { schemas } = z.toJSONSchema(z.globalRegistry, { ...optionsOf(io), target, uri });
  return Object.fromEntries(Object.entries(schemas).map(([name, { $id, $schema, ...schema }]) => [name, schema]));
}

export function namesIn(text: string): string[] {
  return [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
}

/** @returns the schemas with these names and those to which they refer, directly or not */
export function reachedFrom(names: Iterable<string>, schemas: Schemas): Schemas {
  const reached = new Set(names);
  // The iteration includes the elements that it adds to the set.
  for (const name of reached) for (const other of namesIn(JSON.stringify(schemas[name]))) reached.add(other);
  return Object.fromEntries([...reached].map((name) => [name, schemas[name] as Schema]));
}

const FORMATS: Record<string, string> = {
  uuid: '3d5a9f52-1c0e-4a53-9a77-0a4e6b1f7c21',
  date: '2026-11-21',
  'date-time': '2026-11-21T09:30:00.000Z',
};
const PLAIN: Record<string, unknown> = { integer: 0, number: 0, boolean: true, object: {}, null: null };

/** @returns a value that fits the schema, with its examples, and with the required fields alone where it has any */
export function exampleOf(schemas: Schemas, given: Schema): unknown {
  const schema = given.$ref ? (schemas[given.$ref.split('/').at(-1) as string] as Schema) : given;
  const { anyOf, oneOf, allOf, properties, items } = schema;
  const inner = (one: unknown) => exampleOf(schemas, one as Schema);
  const [known] = schema.examples ?? schema.enum ?? [schema.const];
  if (known !== undefined) return known;
  const [choice] = anyOf ?? oneOf ?? allOf ?? [];
  if (choice) return inner(choice);
  if (properties) {
    const { required = Object.keys(properties) } = schema;
    const fields = Object.entries(properties).filter(([name]) => required.includes(name));
    return Object.fromEntries(fields.map(([name, field]) => [name, inner(field)]));
  }
  if (items) return [inner(items)];
  const type = [schema.type].flat()[0] ?? 'string';
  return type in PLAIN ? (schema.minimum ?? PLAIN[type]) : (FORMATS[schema.format ?? ''] ?? '…');
}
