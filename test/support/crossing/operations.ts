// Finds the operations and messages that take words or give them, by their published schemas alone, and fills their
// requests. An operation that is added is found without a change here.
import { describedOperations, type Operation } from '../fuzz/operations.ts';
import { type Json, resolve } from '../fuzz/schema-values.ts';
import { sampleOf } from '../input-cost.ts';

/** A request with such a field names words, has them, or answers a question about one. */
const TAKEN = ['listId', 'answerMode', 'terms', 'optionId', 'text'];
/** A reply with such a field is made from words. */
const GIVEN = ['prompt', 'terms', 'listId'];
/** Each of these fields names the words of a request, which then has none of the others: a game has its own direction. */
export const SOURCES: Record<string, string[]> = { listId: ['gameId'], gameId: ['listId', 'reverse'] };

export interface WordOperation extends Operation {
  /** Whether its request is an answer to a question. */
  isAnswer: boolean;
  /** Whether its reply has questions about the words that the request names. */
  isStart: boolean;
  /** Whether its request is a whole list. */
  isList: boolean;
  /** The content types of its successful reply; undefined stands for none. */
  types: (string | undefined)[];
  /** The fields of its body that name words; undefined stands for a request without one. */
  sources: (string | undefined)[];
}

export function wordOperations(openapi: Json): WordOperation[] {
  const operations = describedOperations(openapi).filter(({ path }) => path.startsWith('/api/v1/'));
  return operations.flatMap((operation) => {
    const { body, parameters, responses = {} } = operation;
    const inBody = fieldNames(body, openapi);
    const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
    const [, reply] = Object.entries<Json>(responses).find(([status]) => status < '300') ?? [];
    const content = Object.entries<Json>(reply?.content ?? {});
    const given = content.flatMap(([, { schema }]) => [...fieldNames(schema, openapi)]);
    const takes = TAKEN.some((name) => inBody.has(name) || inPath.includes(name));
    if (!takes && !GIVEN.some((name) => given.includes(name))) return [];
    // A request that brings a message is crossed as the message is.
    if (body && !propertiesOf(body, openapi)) return [];
    const sources = Object.keys(SOURCES).filter((name) => inBody.has(name));
    return {
      ...operation,
      isAnswer: inBody.has('optionId') || inBody.has('text'),
      isStart: sources.length > 0 && given.includes('prompt'),
      isList: inBody.has('terms'),
      types: content.length === 0 ? [undefined] : content.map(([type]) => type),
      sources: sources.length === 0 ? [undefined] : sources,
    };
  });
}

export interface ClientMessage {
  type: string;
  schema: Json;
  /** Whether it is an answer to a question. */
  isAnswer: boolean;
}

/** @returns all messages that a client can send, since each of them may ask, judge or show a word */
export function clientMessages(asyncapi: Json): ClientMessage[] {
  return asyncapi.operations.receive.messages.map(({ $ref }: Json) => {
    const { payload } = resolve(asyncapi, resolve(asyncapi, $ref).$ref);
    const schema = payload.$ref ? resolve(asyncapi, payload.$ref) : payload;
    const { type, optionId, text } = schema.properties;
    return { type: type.const, schema, isAnswer: Boolean(optionId ?? text) };
  });
}

/**
 * @returns the ways in which words can be asked: the values of the fields that all requests share which name a list,
 *   apart from those of a deck, such as `{ answerMode: 'typed' }`
 * @param accepts whether a request with the field is accepted beside a list
 */
export async function modesOf(
  operations: WordOperation[],
  openapi: Json,
  accepts: (field: Record<string, unknown>) => Promise<boolean>,
): Promise<Record<string, unknown>[]> {
  const named = operations.flatMap(({ body }) => objectsWith('listId', body, openapi));
  const [first = {}, ...others] = named.map((schema) => schema.properties as Record<string, Json>);
  const shared = Object.entries(first).filter(([name]) => others.every((one) => name in one));
  let modes: Record<string, unknown>[] = [{}];
  for (const [name, schema] of shared) {
    const { type, enum: values = [] } = schema.$ref ? resolve(openapi, schema.$ref) : schema;
    const choices: unknown[] = type === 'boolean' ? [false, true] : values;
    const isFree = choices.length > 0 && (await accepts({ [name]: choices[0] }));
    if (isFree) modes = modes.flatMap((mode) => choices.map((value) => ({ ...mode, [name]: value })));
  }
  return modes;
}

/**
 * @param values the values of fields by name; other required fields get those of the schema's example
 * @returns a request that is valid and has all fields of `values` that the schema has
 */
export function filled(schema: Json, document: Json, values: Record<string, unknown>): Json {
  if (schema.$ref) return filled(resolve(document, schema.$ref), document, values);
  const [example = {}] = schema.examples ?? [];
  const fields = Object.entries<Json>(schema.properties ?? {}).flatMap(([name, one]) => {
    if (values[name] !== undefined) return [[name, values[name]]];
    const names = fieldNames(one, document);
    if (TAKEN.some((field) => names.has(field))) return [[name, filled(one, document, values)]];
    if (!schema.required?.includes(name)) return [];
    return [[name, example[name] ?? sampleOf(one, document)]];
  });
  return Object.fromEntries(fields);
}

function objectsWith(name: string, schema: Json, document: Json): Json[] {
  if (!schema) return [];
  if (schema.$ref) return objectsWith(name, resolve(document, schema.$ref), document);
  if (schema.properties?.[name]) return [schema];
  return childrenOf(schema).flatMap((child) => objectsWith(name, child, document));
}

function propertiesOf(schema: Json, document: Json): Json {
  return schema.$ref ? propertiesOf(resolve(document, schema.$ref), document) : schema.properties;
}

function fieldNames(schema: Json, document: Json, found = new Set<string>()): Set<string> {
  if (!schema) return found;
  if (schema.$ref) return fieldNames(resolve(document, schema.$ref), document, found);
  for (const name of Object.keys(schema.properties ?? {})) found.add(name);
  for (const child of childrenOf(schema)) fieldNames(child, document, found);
  return found;
}

function childrenOf({ properties = {}, items, oneOf = [], anyOf = [], allOf = [] }: Json): Json[] {
  return [...Object.values(properties), ...(items ? [items] : []), ...oneOf, ...anyOf, ...allOf];
}
