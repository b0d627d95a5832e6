// Generates the most expensive inputs from the service's API documents: each text of a body or message is
// replaced by expensive ones of the largest accepted size.

import type { ListTerm } from '../../src/vocabulary/lists/schema.ts';
import { type Json, resolve } from './fuzz/schema-values.ts';
import { seeded } from './seeded.ts';

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
  if (typeof schema === 'boolean') return [];
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

const TERMS = 2000;
const random = seeded(20_261_123);
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

const letters = (count: number) => Array.from({ length: count }, () => LETTERS[random(LETTERS.length)]).join('');
const listOf = (term: (at: number) => ListTerm) => Array.from({ length: TERMS }, (_, at) => term(at));
const longest = (start: string, rest: string, length: number) =>
  [...`${start}${rest.repeat(length)}`].slice(0, length).join('').normalize('NFC');
/** A letter with thirty combining marks: a text may have no more of them in a row. */
const MARKED = `a${'\u0323\u0301'.repeat(15)}`;

/** An ordinary list of 2,000 words, for comparison. */
export const ORDINARY = listOf((at) => ({
  sourceText: `${letters(4 + (at % 8))}${at}`,
  targetText: `${letters(4 + (at % 9))}${at}`,
}));

/** Lists from which no question with three wrong options can be built. */
export const UNASKABLE: Record<string, ListTerm[]> = {
  'one prompt, three answers, a gloss each': listOf((at) => ({
    sourceText: 's',
    targetText: `t${at % 3}`,
    sourceGloss: `g${at}`,
  })),
  'the same in the longest texts': listOf((at) => ({
    sourceText: longest('s', 's', 120),
    targetText: longest(`t${at % 3}`, 't', 120),
    sourceGloss: longest(`g${at}`, 'g', 200),
  })),
  'fifty prompts to which everything is right': listOf((at) => ({
    sourceText: `p${at % 50}`,
    targetText: `t${Math.floor(at / 50)}`,
    sourceGloss: `g${at}`,
  })),
};

/** Lists with fifty possible questions, whose replies are as long as those of a deck. */
export const ASKABLE_SHORT: Record<string, ListTerm[]> = {
  'one prompt to which nearly everything is right': listOf((at) =>
    at < TERMS - 3
      ? { sourceText: 's', targetText: `t${at}`, sourceGloss: `g${at}` }
      : { sourceText: `p${at}`, targetText: `q${at}` },
  ),
  'nearly all translations of one prompt with one gloss': listOf((at) =>
    at < TERMS - 60
      ? { sourceText: 's', targetText: `t${at}`, sourceGloss: longest('g', 'g', 200) }
      : { sourceText: `p${at}`, targetText: `q${at}` },
  ),
};

/** A list whose translations have as many alternatives as are compared, all of them one edit apart. */
export const NEAR = listOf((at) => ({
  sourceText: `word ${at}`,
  targetText: Array.from({ length: 17 }, (_, part) => `aa${letterOf(at + part)}a${letterOf(at / 26)}`).join('; '),
}));

function letterOf(number: number): string {
  return LETTERS[Math.floor(number) % LETTERS.length] as string;
}

/** A list of fifty prompts, with `ofOne` translations each. */
const listOfFifty = (ofOne: number, textOf: (at: number) => string) =>
  Array.from({ length: 50 * ofOne }, (_, at) => ({
    sourceText: longest(`${at % 50} `, '😀', 120),
    sourceGloss: longest('', '😀', 200),
    targetText: textOf(at),
  }));

/** Lists whose questions have the most bytes of accepted texts, in several ways. */
export const MOST_ACCEPTED: Record<string, ListTerm[]> = {
  'few long ones': listOfFifty(4, (at) => longest(String.fromCodePoint(0x1f600 + at), '😀', 100)),
  'one that is the longest': listOfFifty(2, (at) => longest(String.fromCodePoint(0x1f600 + at), '😀', 120)),
  'many short ones': listOfFifty(40, (at) => (1000 + at).toString(36)),
  'quotation marks': listOfFifty(5, (at) => `${'"'.repeat(95)}${at}`),
};

/** Lists with fifty possible questions. */
export const ASKABLE: Record<string, ListTerm[]> = {
  ...ASKABLE_SHORT,
  'the longest texts of letters': listOf((at) => ({
    sourceText: `${letters(116)}${at}`,
    targetText: `${letters(116)}${at}`,
    sourceGloss: `${letters(196)}${at}`,
  })),
  'the longest texts of combining marks': listOf((at) => ({
    sourceText: longest(`${at}`, MARKED, 120),
    targetText: longest(`${at}b`, MARKED, 120),
    sourceGloss: longest(`${at}c`, MARKED, 200),
  })),
  'the longest texts of pairs of UTF-16 units': listOf((at) => ({
    sourceText: longest(`${at}`, '😀', 120),
    targetText: longest(`${at}b`, '😀', 120),
    sourceGloss: longest(`${at}c`, '😀', 200),
  })),
};
