// Makes the examples of the published descriptions from the schemas: values, and calls with curl and the client library.
import type { Operation } from '../http/operation.ts';
import type { Schema, Schemas } from './json-schema.ts';

/** Examples end at this depth of nested objects, since schemas may refer to themselves. */
const DEPTH_MAX = 8;

const FORMATS: Record<string, string> = {
  uuid: '3d5a9f52-1c0e-4a53-9a77-0a4e6b1f7c21',
  date: '2026-11-21',
  'date-time': '2026-11-21T09:30:00.000Z',
};
const PLAIN: Record<string, unknown> = { integer: 0, number: 0, boolean: true, object: {}, null: null };

/** @returns a value that fits the schema, with its examples, and with the required fields alone where it has any */
export function exampleOf(schemas: Schemas, given: Schema, depth = 0): unknown {
  const schema = given.$ref ? (schemas[given.$ref.split('/').at(-1) as string] as Schema) : given;
  const { anyOf, oneOf, allOf, properties, items } = schema;
  const inner = (one: unknown) => exampleOf(schemas, one as Schema, depth + 1);
  const [known] = schema.examples ?? schema.enum ?? [schema.const];
  if (known !== undefined) return known;
  const [choice] = anyOf ?? oneOf ?? allOf ?? [];
  if (choice) return inner(choice);
  if (properties && depth < DEPTH_MAX) {
    const { required = Object.keys(properties) } = schema;
    const fields = Object.entries(properties).filter(([name]) => required.includes(name));
    return Object.fromEntries(fields.map(([name, field]) => [name, inner(field)]));
  }
  if (items && depth < DEPTH_MAX) return [inner(items)];
  const type = [schema.type].flat()[0] ?? 'string';
  return type in PLAIN ? (schema.minimum ?? PLAIN[type]) : (FORMATS[schema.format ?? ''] ?? '…');
}

/** What a sample call needs to know of an operation besides its data. */
export interface SampleParts {
  /** The parameters that the query must have, with those values that are constants. */
  query: Record<string, string | undefined>;
  /** An example of the body; undefined where there is none. */
  body: unknown;
  /** The fields of the reply; empty where it has none. */
  fields: string[];
}

type Call = Pick<Operation, 'id' | 'method' | 'path' | 'isStream'>;

/** @returns a call with curl, and one with the library unless it is better-auth's or the stream that a lobby opens */
export function samplesOf(operation: Call, parts: SampleParts): object[] {
  const samples = [{ lang: 'Shell', label: 'curl', source: curl(operation, parts) }];
  if (operation.path.startsWith('/api/v1/') && !operation.isStream)
    samples.push({ lang: 'JavaScript', label: 'Client library', source: program(operation, parts) });
  return samples;
}

/** Fields of a body whose values come from an earlier reply or an email, so that the sample has variables for them. */
const GIVEN_FIELD = /^(id|token|\w+Id)$/;

/** `gameId` becomes `GAME_ID`. */
const shellName = (name: string) => name.replace(/(?=[A-Z])/g, '_').toUpperCase();

/** Prints a body as JSON, in which `print` replaces the values that come from elsewhere. */
function printBody(body: unknown, print: (name: string) => string, indent?: number): string {
  const given = (key: string, value: unknown) =>
    GIVEN_FIELD.test(key) && typeof value === 'string' ? `{{${key}}}` : value;
  return JSON.stringify(body, given, indent).replace(/"\{\{(\w+)\}\}"/g, (_, name: string) => print(name));
}

/** A parameter of the path becomes a variable of the shell, and so does an id in the body. */
function curl({ method, path, isStream }: Call, { body, query }: SampleParts): string {
  const search = Object.entries(query).map(([name, value]) => `${name}=${value ?? `$${shellName(name)}`}`);
  const address = [path.replace(/:(\w+)/g, (_, name: string) => `$${shellName(name)}`), ...search].join('?');
  const lines = [`curl${isStream ? ' -N' : ''} -X ${method} "$SERVICE${address}" -b cookies.txt -c cookies.txt`];
  // better-auth refuses a POST with a cookie and without an origin.
  if (method === 'POST' && path.startsWith('/api/auth/')) lines.push(`  -H "origin: $SERVICE"`);
  if (body !== undefined) {
    const json = printBody(body, (name) => `"'$${shellName(name)}'"`);
    lines.push(`  -H 'content-type: application/json' -d '${json}'`);
  }
  return lines.join(' \\\n');
}

const SET_UP = `import { createClient } from 'vocabulary-quiz-service/client';

const client = createClient({ baseUrl: 'https://quiz.example.org', cookie });`;

function program({ id, path }: Call, { body, fields }: SampleParts): string {
  const args = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const given = new Set(args);
  const printGiven = (name: string) => {
    given.add(name);
    return name;
  };
  if (body !== undefined && Object.keys(body as object).length > 0) args.push(printBody(body, printGiven, 2));
  const read = fields.filter((name) => !given.has(name)).slice(0, 2);
  return `${SET_UP}\n${read.length > 0 ? `const { ${read.join(', ')} } = ` : ''}await client.${id}(${args.join(', ')});`;
}
