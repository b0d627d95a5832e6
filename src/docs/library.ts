// Prints what the library has of the service's operations: its operations.ts and types.ts, which the checkout has, and the
// plain interfaces with comments by which its build replaces both, since zod is no part of the built library.
import { compile } from 'json-schema-to-typescript';
import { z } from 'zod';
import type { Operation } from '../http/operation.ts';

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

type Io = 'input' | 'output';

interface PrintedType {
  name: string;
  schema: z.ZodType;
  /** In what a program sends, a field with a default may be missing. */
  io: Io;
  module: string;
}

/** All schemas, by the names that their modules export them by. */
const MODULES = await Promise.all(
  Object.entries(PATHS).map(async ([module, path]) => {
    const schemas: Record<string, z.ZodType> = await import(path);
    return Object.entries(schemas).map(([name, schema]) => ({ name, schema, module }));
  }),
);
const EXPORTED = MODULES.flat();

/** The types that programs need besides those of operations. */
const OTHERS: Record<Io, string[]> = {
  input: ['LobbyChange', 'ClientMessage'],
  output: ['LobbySettings', 'ErrorMessage', 'ServerEvent', 'ServerMessage', 'Question'],
};

/**
 * @returns the name that a module exports the schema by; undefined for one that has no name
 * @throws Error when the schema has a name, and no module of PATHS exports it
 */
function nameOf(schema: z.ZodType | undefined): string | undefined {
  const found = EXPORTED.find((one) => one.schema === schema);
  if (!found && schema?.meta()?.id) throw new Error(`no module of library.ts exports the schema ${schema.meta()?.id}`);
  return found?.name;
}

/** @param all the operations, of which a stream is read by the library's connection to a lobby */
export function createLibraryPrinter(all: readonly Operation[]) {
  const operations = all.filter(({ isStream }) => !isStream);
  const types = typesOf(operations);
  return {
    /** The files of the checkout, by their names. */
    files: { 'operations.ts': operationsFile(operations), 'types.ts': typesFile(types) },
    /** The same as modules without other imports, with comments. */
    builtFiles: async () => ({ 'operations.ts': builtOperations(operations), 'types.ts': await builtTypes(types) }),
  };
}

function typesOf(operations: readonly Operation[]): PrintedType[] {
  const used: Record<Io, unknown[]> = {
    input: operations.flatMap(({ body, query }) => [body, query]),
    output: operations.flatMap(({ replies }) => Object.values(replies)),
  };
  const types = (['input', 'output'] as const).flatMap((io) =>
    EXPORTED.filter(({ name, schema }) => OTHERS[io].includes(name) || used[io].includes(schema)).map((one) => ({
      ...one,
      io,
    })),
  );
  // The formatter orders names so, in every locale.
  return types.sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

/** The modules have a type of each output, under the name of its schema. */
function typesFile(types: readonly PrintedType[]): string {
  const inputs = types.filter(({ io }) => io === 'input');
  const lines = Object.entries(PATHS).flatMap(([module, path]) => {
    const outputs = types.filter((type) => type.io === 'output' && type.module === module);
    const names = outputs.map(({ name }) => name).join(', ');
    return names ? [`export type { ${names} } from '${path}';`] : [];
  });
  const imports = Object.entries(PATHS).filter(([module]) => inputs.some((type) => type.module === module));
  return `// The types of all requests, replies and messages, from the service's own zod schemas. This file imports only types from
// the rest of the code. Printed by build.ts.
import type { input } from 'zod';
${imports.map(([name, path]) => `import type * as ${name} from '${path}';`).join('\n')}

${lines.join('\n')}

${inputs.map(({ name, module }) => `export type ${name} = input<typeof ${module}.${name}>;`).join('\n')}
`;
}

const PAGE_TYPE = `/** Which page of a list is read: the first one, or the one after that whose \`next\` the cursor is. */
type Page<Cursor extends string> = { limit?: number | undefined } & { [Name in Cursor]?: string | undefined };`;

function operationsFile(operations: readonly Operation[]): string {
  const rows = operations.map((operation) => {
    const { params, reply } = signatureOf(operation);
    const text = `'${operation.method} ${pathOf(operation).replace('/api/v1/', '')}'`;
    return `  ${operation.id}: ${text} as Operation<[${params}], ${reply}>,`;
  });
  return `// The operations of the service, which index.ts makes methods of. Printed by build.ts.
import type { CallOptions } from './http.ts';
import type * as types from './types.ts';

/** An operation's HTTP method, and its path below /api/v1; and the types of its method's parameters and reply. */
type Operation<Parameters extends unknown[], Reply> = string & { types?: [Parameters, Reply] };

${PAGE_TYPE}

export const OPERATIONS = {
${rows.join('\n')}
};

type Method<Row> =
  Row extends Operation<infer Parameters, infer Reply>
    ? (...args: [...Parameters, options?: CallOptions]) => Promise<Reply>
    : never;

/** Every method throws an \`ApiError\` when it is refused, or when there is no network. */
export type Operations = { [Id in keyof typeof OPERATIONS]: Method<(typeof OPERATIONS)[Id]> };
`;
}

function builtOperations(operations: readonly Operation[]): string {
  const methods = operations.map((operation) => {
    const { params, reply } = signatureOf(operation);
    const all = [...params, 'options?: CallOptions'].join(', ');
    return `${commentOf(operation)}\n  ${operation.id}(${all}): Promise<${reply}>;`;
  });
  return `import type { CallOptions } from './http.ts';
import type * as types from './types.ts';

${PAGE_TYPE}

export declare const OPERATIONS: Record<keyof Operations, string>;
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

/** @returns the fields of a query, and those that have one value only, which the path has then */
function fieldsOf({ query }: Operation): { names: string[]; constants: Record<string, string> } {
  const options = { io: 'input', unrepresentable: 'any' } as const;
  const { properties = {} } = query ? (z.toJSONSchema(query, options) as JsonSchema) : {};
  const fields = Object.entries(properties as Record<string, JsonSchema>);
  const constants = fields.filter(([, field]) => field.const).map(([name, field]) => [name, `${field.const}`]);
  return { names: Object.keys(properties), constants: Object.fromEntries(constants) };
}

function pathOf(operation: Operation): string {
  const { constants } = fieldsOf(operation);
  return operation.path + (Object.keys(constants).length > 0 ? `?${new URLSearchParams(constants)}` : '');
}

function signatureOf(operation: Operation): { params: string[]; reply: string } {
  const { id, path, query, body, replies } = operation;
  const params = [...path.matchAll(/:(\w+)/g)].map(([, name]) => `${name}: string`);
  const request = nameOf(body);
  if (body && request) params.push(`request${body.safeParse({}).success ? '?' : ''}: types.${request}`);
  const { names, constants } = fieldsOf(operation);
  const [first, cursor, ...others] = names;
  if (nameOf(query)) params.push(`query?: types.${nameOf(query)}`);
  else if (first === 'limit' && others.length === 0) params.push(`query?: Page<'${cursor}'>`);
  else if (Object.keys(constants).length < names.length) throw new Error(`the query of ${id} is not exported`);
  const reply = nameOf(Object.values(replies)[0]);
  const nothing = 204 in replies && 200 in replies ? ' | undefined' : '';
  return { params, reply: `${reply ? `types.${reply}` : 'void'}${nothing}` };
}

type JsonSchema = z.core.JSONSchema.BaseSchema;
type Definitions = Record<string, JsonSchema>;

/** @returns a TypeScript module with the types of types.ts as plain interfaces */
function builtTypes(types: readonly PrintedType[]): Promise<string> {
  const definitions = { ...definitionsOf(types, 'input'), ...definitionsOf(types, 'output') };
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
function definitionsOf(types: readonly PrintedType[], io: Io): Definitions {
  const ofIo = types.filter((type) => type.io === io);
  const schemas = Object.fromEntries(ofIo.map(({ name, schema }) => [name, schema]));
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
