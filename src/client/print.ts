// Prints what the library has of the service's operations: `node src/client/print.ts` writes operations.ts and types.ts,
// and the build replaces types.ts by plain interfaces, since zod is no part of the built library.
import { writeFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';
import { z } from 'zod';
import type { Operation } from '../http/operation.ts';
import * as lobby from '../lobby/schema.ts';
import { OPERATIONS as ALL_OPERATIONS } from '../operations.ts';
import * as realtime from '../realtime/schema.ts';
import * as vocabulary from '../vocabulary/schema.ts';

/** A stream is read by the library's connection to a lobby. */
const OPERATIONS = ALL_OPERATIONS.filter(({ isStream }) => !isStream);

/** The modules of schemas, by the names that types.ts imports them by. */
const PATHS = {
  accounts: '../accounts/schema.ts',
  assignments: '../assignments/schema.ts',
  learning: '../learning/schema.ts',
  lobby: '../lobby/schema.ts',
  match: '../match/schema.ts',
  realtime: '../realtime/schema.ts',
  singleplayer: '../singleplayer/schema.ts',
  lists: '../vocabulary/lists/schema.ts',
  vocabulary: '../vocabulary/schema.ts',
};

const exported = await Promise.all(
  Object.entries(PATHS).map(async ([module, path]) => {
    const schemas: Record<string, unknown> = await import(path);
    return Object.entries(schemas).map(([name, schema]) => ({ name, schema, module }));
  }),
);

/** The types that programs need besides those of operations. */
const OTHERS = {
  input: [lobby.LobbyChange, realtime.ClientMessage],
  output: [
    lobby.LobbySettings,
    realtime.ErrorMessage,
    realtime.ServerEvent,
    realtime.ServerMessage,
    vocabulary.Question,
  ],
};

type Io = 'input' | 'output';

interface PrintedType {
  schema: z.ZodType;
  /** In what a program sends, a field with a default may be missing. */
  io: Io;
  module: string;
}

const nameOf = (schema: z.ZodType | undefined) => schema?.meta()?.id;

/** @returns the name by which a schema's module exports it, and the module. @throws Error without one */
function exportOf(schema: z.ZodType): { name: string; module: string } {
  const found = exported.flat().find((one) => one.schema === schema);
  if (!found) throw new Error(`no module of print.ts exports the schema ${nameOf(schema)}`);
  return found;
}

function typesByName(): Map<string, PrintedType> {
  const requests = OPERATIONS.flatMap(({ body }) => (body && nameOf(body) ? [body] : []));
  const replies = OPERATIONS.flatMap((one) => Object.values(one.replies).filter((reply) => nameOf(reply)));
  const all = { input: [...requests, ...OTHERS.input], output: [...replies, ...OTHERS.output] };
  const types = Object.entries(all).flatMap(([io, schemas]) =>
    schemas.map((schema) => {
      const { name, module } = exportOf(schema);
      return [name, { schema, io: io as Io, module }] as const;
    }),
  );
  return new Map(types.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function typesFile(): string {
  const types = [...typesByName()];
  return `// The types of all requests, replies and messages, from the service's own zod schemas. This file imports only types from
// the rest of the code. Printed by print.ts.
import type { input, output } from 'zod';
${Object.entries(PATHS)
  .map(([name, path]) => `import type * as ${name} from '${path}';`)
  .join('\n')}

${types.map(([name, { io, module }]) => `export type ${name} = ${io}<typeof ${module}.${name}>;`).join('\n')}
`;
}

function operationsFile(): string {
  const paths = OPERATIONS.map((one) => `  ${one.id}: '${one.method} ${pathOf(one).replace('/api/v1/', '')}',`);
  const methods = OPERATIONS.map((operation) => `${commentOf(operation)}\n  ${signatureOf(operation)};`);
  return `// The operations of the service, which index.ts makes methods of. Printed by print.ts.
import type { CallOptions } from './http.ts';
import type * as types from './types.ts';

/** The method of each operation, and its path below /api/v1. */
export const OPERATIONS = {
${paths.join('\n')}
};

/** Every method throws an \`ApiError\` when it is refused, or when there is no network. */
export interface Operations {
${methods.join('\n')}
}
`;
}

function commentOf({ summary, refusals = [] }: Operation): string {
  const text = `${summary}.${refusals.length > 0 ? ` @throws ApiError ${refusals.join(', ')}` : ''}`;
  if (text.length < 110) return `  /** ${text} */`;
  return `  /**\n   * ${text.replace(' @throws', '\n   * @throws')}\n   */`;
}

function jsonOf(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(schema, { io: 'input', reused: 'inline', unrepresentable: 'any' });
}

/** @returns the fields of a query that have one value only, which the path has then */
function constantsOf({ query }: Operation): Record<string, string> {
  const properties = Object.entries(query ? (jsonOf(query).properties ?? {}) : {});
  return Object.fromEntries(
    properties.flatMap(([name, field]) => (typeof field === 'object' && field.const ? [[name, `${field.const}`]] : [])),
  );
}

function pathOf(operation: Operation): string {
  const constants = constantsOf(operation);
  return operation.path + (Object.keys(constants).length > 0 ? `?${new URLSearchParams(constants)}` : '');
}

function signatureOf(operation: Operation): string {
  const { id, path, query, body, replies } = operation;
  const params = [...path.matchAll(/:(\w+)/g)].map(([, name]) => `${name}: string`);
  const request = nameOf(body);
  if (body && request) params.push(`request${body.safeParse({}).success ? '?' : ''}: types.${request}`);
  if (query && Object.keys(constantsOf(operation)).length === 0) params.push(`query?: ${queryType(query)}`);
  params.push('options?: CallOptions');
  const reply = nameOf(Object.values(replies)[0]);
  const nothing = 204 in replies && 200 in replies ? ' | undefined' : '';
  return `${id}(${params.join(', ')}): Promise<${reply ? `types.${reply}` : 'void'}${nothing}>`;
}

function queryType(query: z.ZodType): string {
  const { properties = {}, $defs = {} } = jsonOf(query);
  const fields = Object.entries(properties).map(([name, field]) => {
    const { $ref, ...own } = field as z.core.JSONSchema.BaseSchema;
    const { type, enum: values } = { ...$defs[$ref?.split('/').at(-1) ?? ''], ...own };
    const printed = values?.map((value) => `'${value}'`).join(' | ') ?? (type === 'integer' ? 'number' : 'string');
    return `${name}?: ${printed} | undefined`;
  });
  return `{ ${fields.join('; ')} }`;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;
type Definitions = Record<string, JsonSchema>;

/** @returns a TypeScript module with the types of types.ts as plain interfaces */
export function printTypes(): Promise<string> {
  const definitions = { ...definitionsOf('input'), ...definitionsOf('output') };
  const names = Object.keys(definitions);
  const all = {
    description: 'All of them, by name.',
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/definitions/${name}` }])),
    required: names,
    definitions,
  };
  return compile(all as Parameters<typeof compile>[0], 'Types', {
    bannerComment: '// Printed from the service’s own schemas.',
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 100 },
  });
}

/** What has one of these fields is about a question with options; with one of the second, about a typed one. */
const KINDS = [
  ['options', 'selectedOptionId', 'correctOptionId'],
  ['answerMode', 'submittedText', 'verdict', 'correctText', 'accepted'],
] as const;

/** Makes two types of a schema with optional fields of both kinds, so that a program tells them apart by a field. */
function tellApart(schema: JsonSchema, name: string | undefined): void {
  const { properties = {}, required = [], ...rest } = schema;
  const [choice = [], typed = []] = KINDS.map((kind) => kind.filter((name) => properties[name] !== undefined));
  if (choice.length === 0 || typed.length === 0) return;
  const kindOf = (kind: string, own: string[], others: string[]) => ({
    ...rest,
    ...(name && { title: kind + name }),
    properties: { ...properties, ...Object.fromEntries(others.map((name) => [name, { tsType: 'undefined' }])) },
    required: [...required, ...own],
  });
  for (const key of Object.keys(schema)) delete schema[key];
  schema.anyOf = [kindOf('Choice', choice, typed), kindOf('Typed', typed, choice)];
}

/** @returns the JSON schemas and those that they refer to, by the names that a program imports */
function definitionsOf(io: Io): Definitions {
  const types = [...typesByName()].filter(([, type]) => type.io === io).map(([name, { schema }]) => [name, schema]);
  const schemas = Object.fromEntries(types) as Record<string, z.ZodType>;
  const { properties = {}, definitions: referred } = z.toJSONSchema(z.object(schemas), {
    io,
    target: 'draft-7',
    override({ jsonSchema, zodSchema }) {
      // The compiler would make tuples of the bounds, and a type has no defaults.
      for (const key of ['minItems', 'maxItems', 'default'] as const) delete jsonSchema[key];
      // Alternatives that name only fields would become types of fields of unknown types.
      if (jsonSchema.properties) delete jsonSchema.oneOf;
      if (io === 'output') tellApart(jsonSchema, z.globalRegistry.get(zodSchema)?.id);
    },
  });
  const definitions = { ...properties, ...(referred as Definitions) } as Definitions;
  let text = JSON.stringify(definitions);
  for (const name of Object.keys(schemas)) {
    const published = definitions[name]?.$ref?.replace('#/definitions/', '');
    // ErrorMessage is published as `Error`, a name that would hide JavaScript's own Error.
    if (published && published !== name)
      text = text
        .replace(`"${name}":{"$ref":"#/definitions/${published}"},`, '')
        .replace(`"${published}":{`, `"${name}":{`)
        .replaceAll(`"#/definitions/${published}"`, `"#/definitions/${name}"`);
  }
  return JSON.parse(text);
}

/** @returns the printed files of the library by their names */
export const printedFiles = (): Record<string, string> => ({
  'operations.ts': operationsFile(),
  'types.ts': typesFile(),
});

if (import.meta.main)
  for (const [name, text] of Object.entries(printedFiles())) writeFileSync(new URL(name, import.meta.url), text);
