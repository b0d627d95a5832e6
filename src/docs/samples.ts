// Makes the examples of the published descriptions from the schemas: values, and calls with curl and the client library.
import type { z } from 'zod';
import type { Operation } from '../http/operation.ts';

type Schema = z.core.JSONSchema.JSONSchema;

/** Examples end at this depth of nested objects, since schemas may refer to themselves. */
const DEPTH_MAX = 8;

const FORMATS: Record<string, string> = {
  uuid: '3d5a9f52-1c0e-4a53-9a77-0a4e6b1f7c21',
  date: '2026-11-21',
  'date-time': '2026-11-21T09:30:00.000Z',
};

/** @returns a value that fits the schema, with its examples, and with the required fields alone where it has any */
export function exampleOf(schemas: Record<string, object>, given: object, depth = 0): unknown {
  const { $ref } = given as Schema;
  const schema = ($ref ? schemas[$ref.split('/').at(-1) as string] : given) as Schema;
  if (schema.examples?.length) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [choice] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (choice) return exampleOf(schemas, choice, depth + 1);
  if (schema.properties && depth < DEPTH_MAX) {
    const { required = Object.keys(schema.properties) } = schema;
    const fields = Object.entries(schema.properties).filter(([name]) => required.includes(name));
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(schemas, field as Schema, depth + 1)]));
  }
  if (schema.items && depth < DEPTH_MAX) return [exampleOf(schemas, schema.items as Schema, depth + 1)];
  const type = [schema.type].flat()[0] ?? 'string';
  const plains: Record<string, unknown> = {
    integer: schema.minimum ?? 0,
    number: 0,
    boolean: true,
    object: {},
    null: null,
  };
  const plain = plains[type];
  return plain === undefined ? (FORMATS[schema.format ?? ''] ?? '…') : plain;
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

/** @returns a call with curl and, unless it is better-auth's or a stream, which a lobby of the library opens, with the library */
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
  const given = new Set([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name));
  const args = [...given];
  if (body !== undefined && Object.keys(body as object).length > 0) {
    args.push(
      printBody(
        body,
        (name) => {
          given.add(name);
          return name;
        },
        2,
      ),
    );
  }
  const read = fields.filter((name) => !given.has(name)).slice(0, 2);
  return `${SET_UP}\n${read.length > 0 ? `const { ${read.join(', ')} } = ` : ''}await client.${id}(${args.join(', ')});`;
}
