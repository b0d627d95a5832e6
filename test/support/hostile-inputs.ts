// Generates the most expensive inputs from the service's API documents: each text of a body or message is
// replaced by expensive ones of the largest accepted size.
import { type Json, resolve } from './fuzz/schema-values.ts';

/** Parts that are repeated to make an expensive text. */
export const HOSTILE_PARTS: Record<string, string> = {
  'combining marks': '\u0323\u0301',
  'as many combining marks as may follow a letter': `a${'\u0323\u0301'.repeat(15)}`,
  'marks that NFKC makes combining ones': '\uff9e\u0301',
  'emoji of many parts': '👩‍👩‍👧‍👦',
  joiners: 'a\u200d',
  'letters that fold to three': 'ΐ',
  'quotation marks': '"',
  'control characters': '\u0001',
  spaces: ' ',
  addresses: 'a@a.',
  paths: '/../%2e%2f',
  digits: '9',
};

/** A cheap part, for comparison. */
export const HARMLESS_PART = 'a word ';

/** Expensive values with about `bytes` bytes of JSON. */
export const HOSTILE_VALUES: Record<string, (bytes: number) => string> = {
  'lists within lists': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'objects within objects': (bytes) => `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`,
  'a list of empty objects': (bytes) => `[${'{},'.repeat(bytes / 3 - 2)}{}]`,
  'a list of numbers': (bytes) => `[${'1,'.repeat(bytes / 2 - 2)}1]`,
  'different fields': (bytes) => `{${Array.from({ length: bytes / 10 }, (_, at) => `"${at}":1`).join()}}`,
  'fields of one name': (bytes) => `{${'"a":1,'.repeat(bytes / 6 - 2)}"b":1}`,
};

/** @returns a valid value of a schema; a text if the schema allows any value */
export function sampleOf(schema: Json, document: Json): unknown {
  if (schema.$ref) return sampleOf(resolve(document, schema.$ref), document);
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [option] = schema.oneOf ?? schema.anyOf ?? [];
  if (option) return sampleOf(option, document);
  if (schema.allOf) return sampleOf(Object.assign({}, ...schema.allOf), document);
  const type = [schema.type].flat()[0] ?? 'string';
  if (type === 'object') return sampleObject(schema, document);
  if (type === 'array') return Array(schema.minItems ?? 1).fill(sampleOf(schema.items ?? {}, document));
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  return sampleText(schema);
}

function sampleObject({ properties = {} }: Json, document: Json): object {
  return Object.fromEntries(Object.entries<Json>(properties).map(([name, one]) => [name, sampleOf(one, document)]));
}

function sampleText({ format, minLength = 1 }: Json): string {
  if (format === 'uuid') return '00000000-0000-4000-8000-000000000000';
  if (format === 'email') return 'ada@example.com';
  if (format === 'uri') return 'https://example.com/';
  return 'a'.repeat(minLength);
}

/** The path of a text in a value, such as `['settings', 'pos']`. */
type JsonPath = (string | number)[];

/** @returns the paths of all texts in a value */
export function textPaths(value: unknown, path: JsonPath = []): JsonPath[] {
  if (typeof value === 'string') return [path];
  if (Array.isArray(value)) return value.length > 0 ? textPaths(value[0], [...path, 0]) : [];
  return Object.entries(Object(value)).flatMap(([name, one]) => textPaths(one, [...path, name]));
}

/** @returns the JSON of `value` with other JSON at a path */
export function jsonWith(value: unknown, path: JsonPath, json: string): string {
  const [step, ...rest] = path;
  if (step === undefined) return json;
  const copy = structuredClone(value) as Json;
  const inner = jsonWith(copy[step], rest, json);
  copy[step] = '§here§';
  return JSON.stringify(copy).replace('"§here§"', () => inner);
}

/** @returns a JSON string of at most `bytes` bytes that repeats `part` */
export function textOf(part: string, bytes: number): string {
  const size = Buffer.byteLength(JSON.stringify(part)) - 2;
  return JSON.stringify(part.repeat(bytes / size));
}

/** @returns the paths of texts without a maximal length in a schema */
export function unboundedTexts(schema: Json, document: Json, path = ''): string[] {
  const within = (inner: Json, name = '') => unboundedTexts(inner, document, `${path}.${name}`);
  if (schema.$ref) return unboundedTexts(resolve(document, schema.$ref), document, path);
  const { properties = {}, items, enum: values, format, maxLength, pattern, type } = schema;
  const hasEnd = values || 'const' in schema || maxLength || format === 'uuid' || pattern;
  return [
    ...([type].flat().includes('string') && !hasEnd ? [path] : []),
    ...Object.entries<Json>(properties).flatMap(([name, one]) => within(one, name)),
    ...(items ? within(items) : []),
    ...[schema.oneOf, schema.anyOf, schema.allOf].flatMap((all = []) => all.flatMap((one: Json) => within(one))),
  ];
}
