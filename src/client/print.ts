// Prints what the library has of the service's operations: its operations.ts and types.ts, which the checkout has, and the
// plain interfaces with comments by which its build replaces both, since zod is no part of the built library.
import { compile } from 'json-schema-to-typescript';
import { z } from 'zod';
import type { Operation } from '../http/operation.ts';
import { OPERATIONS } from '../operations.ts';
import * as schemas from '../schemas.ts';

type Schemas = Record<string, z.ZodType>;

const EXPORTED: Schemas = Object.fromEntries(
  // The formatter orders names so, in every locale.
  Object.entries<unknown>(schemas)
    .filter((entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType)
    .sort(([one], [other]) => one.localeCompare(other, 'en')),
);

/** A stream is read by the library's connection to a lobby. */
const METHODS = OPERATIONS.filter(({ isStream }) => !isStream);

/** The types of operations, and others that programs need. In an input, a field with a default may be missing. */
export const TYPES = {
  input: typesOf(
    METHODS.flatMap(({ body, query }) => [body, query]),
    ['LobbyChange', 'ClientMessage'],
  ),
  output: typesOf(
    METHODS.flatMap(({ replies }) => Object.values(replies)),
    ['LobbySettings', 'ErrorMessage', 'ServerEvent', 'ServerMessage', 'Question'],
  ),
};

function typesOf(used: unknown[], others: string[]): Schemas {
  const found = Object.entries(EXPORTED).filter(([name, schema]) => others.includes(name) || used.includes(schema));
  return Object.fromEntries(found);
}

/** @returns the name that schemas.ts exports the schema by. @throws Error when it has one that is not exported */
function nameOf(schema: z.ZodType | undefined): string | undefined {
  const [name] = Object.entries(EXPORTED).find(([, one]) => one === schema) ?? [];
  if (!name && schema?.meta()?.id) throw new Error(`schemas.ts does not export the schema ${schema.meta()?.id}`);
  return name;
}

/** @returns how a program calls an operation: its method and path, and the parameters and the reply as types */
function signatureOf({ id, method, path, query, body, replies }: Operation) {
  const params = [...path.matchAll(/:(\w+)/g)].map(([, name]) => `${name}: string`);
  const request = nameOf(body);
  if (body && request) params.push(`request${body.safeParse({}).success ? '?' : ''}: types.${request}`);
  const json: JsonSchema = query ? z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }) : {};
  const fields = Object.entries((json.properties ?? {}) as Record<string, JsonSchema>);
  const constants = fields.filter(([, field]) => field.const).map(([name, field]) => [name, `${field.const}`]);
  const [first, cursor, ...others] = fields.filter(([, field]) => !field.const).map(([name]) => name);
  if (nameOf(query)) params.push(`query?: types.${nameOf(query)}`);
  else if (first === 'limit' && others.length === 0) params.push(`query?: Page<'${cursor}'>`);
  else if (first) throw new Error(`the query of ${id} is not exported`);
  const search = constants.length > 0 ? `?${new URLSearchParams(constants)}` : '';
  const reply = nameOf(Object.values(replies)[0]);
  const nothing = 204 in replies && 200 in replies ? ' | undefined' : '';
  return {
    at: `${method} ${path.replace('/api/v1/', '')}${search}`,
    params,
    reply: `${reply ? `types.${reply}` : 'void'}${nothing}`,
  };
}

const THROWS = '/** Every method throws an `ApiError` when it is refused, or when there is no network. */';

/** The files of the checkout, by their names. schemas.ts has a type of each output, under the name of its schema. */
export const FILES = {
  'operations.ts': `// The operations of the service, which index.ts makes methods of. Printed by build.ts.
import type { Methods, Operation, Page } from './http.ts';
import type * as types from './types.ts';

export const OPERATIONS = {
${METHODS.map(rowOf).join('\n')}
};

${THROWS}
export type Operations = Methods<typeof OPERATIONS>;
`,
  'types.ts': `// The types of all requests, replies and messages, from the service's own zod schemas. Printed by build.ts.
import type { input } from 'zod';
import type * as schemas from '../schemas.ts';

export type * from '../schemas.ts';

${Object.keys(TYPES.input)
  .map((name) => `export type ${name} = input<typeof schemas.${name}>;`)
  .join('\n')}
`,
};

/** @returns the same as modules without other imports, with comments */
export async function builtFiles(): Promise<typeof FILES> {
  const operations = `import type { CallOptions, Page } from './http.ts';
import type * as types from './types.ts';

export declare const OPERATIONS: Record<keyof Operations, string>;
${THROWS}
export interface Operations {
${METHODS.map(methodOf).join('\n')}
}
`;
  return { 'operations.ts': operations, 'types.ts': await builtTypes() };
}

function rowOf(operation: Operation): string {
  const { at, params, reply } = signatureOf(operation);
  return `  ${operation.id}: '${at}' as Operation<[${params}], ${reply}>,`;
}

function methodOf(operation: Operation): string {
  const { id, summary, refusals = [] } = operation;
  const { params, reply } = signatureOf(operation);
  const all = [...params, 'options?: CallOptions'].join(', ');
  const throws = refusals.length > 0 ? `\n   * @throws ApiError ${refusals.join(', ')}` : '';
  return `  /**\n   * ${summary}.${throws}\n   */\n  ${id}(${all}): Promise<${reply}>;`;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** @returns a TypeScript module with the types of types.ts as plain interfaces */
function builtTypes(): Promise<string> {
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
function definitionsOf(io: 'input' | 'output'): Record<string, JsonSchema> {
  // ErrorMessage is published as `Error`, a name that would hide JavaScript's own Error.
  const names = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(TYPES[io])) names.add(schema, { id });
  const { schemas } = z.toJSONSchema(names, {
    io,
    target: 'draft-7',
    uri: (id) => (id === '__shared' ? '' : `#/definitions/${id}`),
    override({ jsonSchema, zodSchema }) {
      // The compiler would make tuples of the bounds, and a type has no defaults.
      for (const key of ['minItems', 'maxItems', 'default'] as const) delete jsonSchema[key];
      // Alternatives that name only fields would become types of fields of unknown types.
      if (jsonSchema.properties) delete jsonSchema.oneOf;
      if (io === 'output') tellApart(jsonSchema, z.globalRegistry.get(zodSchema)?.id);
    },
  });
  const { __shared: others, ...own } = schemas as Record<string, JsonSchema>;
  const definitions = { ...own, ...(others?.definitions as typeof own) };
  for (const definition of Object.values(definitions))
    for (const key of ['$id', '$schema', 'id']) delete definition[key];
  return definitions;
}
