// Completes the published descriptions from the glossary, so that every field has a description and every
// response an example.
import { GLOSSARY, type Meaning } from './glossary.ts';

/** The parts of a JSON Schema that this file reads. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  examples?: unknown[];
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/** An OpenAPI or AsyncAPI document. */
export interface DocumentWithSchemas {
  components: { schemas?: Record<string, unknown> };
}

/** Examples end at this depth of nested objects, since schemas may refer to themselves. */
const DEPTH_MAX = 8;

/** Describes each field of a document's schemas that has no description. */
export function describeFields<Document extends DocumentWithSchemas>(document: Document): Document {
  const visit = (node: unknown, owner: string): void => {
    if (node === null || typeof node !== 'object') return;
    const { properties } = node as Schema;
    if (properties && typeof properties === 'object')
      for (const [name, field] of Object.entries(properties)) describe(field, owner, name);
    for (const [key, child] of Object.entries(node)) if (key !== 'examples') visit(child, owner);
  };
  const { schemas = {} } = document.components;
  for (const [owner, schema] of Object.entries(schemas)) visit(schema, owner);
  const { components: _, ...others } = document;
  visit(others, '');
  visit(
    Object.values(document.components).filter((part) => part !== schemas),
    '',
  );
  return document;

  function describe(field: Schema, owner: string, name: string): void {
    const isSaid = field.description ?? (field.$ref && resolve(document, field).description);
    if (isSaid === undefined) Object.assign(field, pick(meaningOf(owner, name, field)));
  }
}

/**
 * @param owner the name of the schema that has the field; '' for a parameter
 * @returns what the glossary says about a field or a parameter
 */
export function meaningOf(owner: string, name: string, schema: object = {}): Meaning | undefined {
  const { type, enum: values, const: value } = schema as Schema;
  const kind = [type].flat()[0] ?? typeof (values?.[0] ?? value);
  const byType = GLOSSARY[`${name}:${kind === 'number' ? 'integer' : kind}`];
  return GLOSSARY[`${owner}.${name}`] ?? byType ?? GLOSSARY[name];
}

const pick = (meaning: Meaning | undefined) => meaning && { description: meaning.description };

/** @returns a value that fits the schema, from the examples of the schema and of the glossary */
export function exampleOf(document: DocumentWithSchemas, given: object, name = '', depth = 0): unknown {
  const schema = resolve(document, given as Schema);
  if (schema.examples?.length) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  const known = meaningOf('', name, schema)?.example;
  if (known !== undefined && !schema.properties && !schema.enum) return known;
  if (schema.enum) return schema.enum[0];
  const [choice] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (choice) return exampleOf(document, choice, name, depth + 1);
  if (schema.properties && depth < DEPTH_MAX)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([key, field]) => [key, exampleOf(document, field, key, depth + 1)]),
    );
  if (schema.items && depth < DEPTH_MAX) return [exampleOf(document, schema.items, name, depth + 1)];
  const type = [schema.type].flat()[0] ?? 'string';
  return { integer: schema.minimum ?? 0, number: 0, boolean: true, object: {} }[type] ?? '…';
}

function resolve({ components }: DocumentWithSchemas, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name ? ((components.schemas?.[name] as Schema | undefined) ?? {}) : schema;
}
