// Generates values from JSON Schemas, most of them valid. Fields that are added to a schema are fuzzed
// without a change here.
import fc from 'fast-check';

// biome-ignore lint/suspicious/noExplicitAny: a schema of any shape
export type Json = any;

const LIST_MAX = 5;
const REMEMBERED_MAX = 8;
const VALID_WEIGHT = 9;

const OF_OTHER_TYPES = [null, true, '', [], {}, [[]], -1, -0, 0.1, 2 ** 31, 2 ** 53, 1e308, -1e308];
const CONTROLS = ['\u0000', 'a\u0000b', '\ud800', '\udfff\ud800', '\u202eabc', '\u200b', '\ufeff', '\r\nX: y'];
const LETTERS = ['ﬃ', 'İ', 'ß', 'e\u0301'.repeat(99), '👩‍👩‍👧‍👦'.repeat(30)];
const CODE = ['../../etc', '%00', "'; --", '#{7*7}', '{{x}}', '__proto__', 'constructor', 'toString'];
const NUMERALS = ['NaN', '1e3', '0x10', '9'.repeat(400)];
const LONG = ['x'.repeat(20_000), 'x'.repeat(70_000)];
const OBJECTS: unknown[] = [
  { length: 3 },
  { toString: 1, valueOf: 1 },
  { toJSON: 'x', constructor: { prototype: { polluted: true } } },
];

/** Values that often cause defects. */
const UNUSUAL = fc.oneof(
  fc.constantFrom<unknown>(...OF_OTHER_TYPES, ...[CONTROLS, LETTERS, CODE, NUMERALS, LONG].flat(), ...OBJECTS),
  fc.jsonValue({ depthSize: 'small' }),
  fc.string({ unit: 'binary', size: 'large' }),
);

/** A placeholder for a value that a reply has had in a field of this name; see `createMemory`. */
const placeholder = (name: string) => fc.nat(REMEMBERED_MAX - 1).map((index) => `§${name}:${index}§`);

/** Remembers values of replies, so that later requests can send them. */
export function createMemory() {
  const remembered = new Map<string, string[]>();
  return {
    /** Stores the strings of a reply under their fields' names; the last few of each name remain. */
    remember(value: unknown): void {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, item] of Object.entries(value)) {
        if (typeof item !== 'string') this.remember(item);
        else remembered.set(name, [item, ...(remembered.get(name) ?? [])].slice(0, REMEMBERED_MAX));
      }
    },
    /** @returns the text with its placeholders replaced by remembered values */
    fill(text: string): string {
      return text.replace(/§(\w+):(\d)§/g, (_, name: string, index: string) => {
        const values = remembered.get(name) ?? [];
        return values[Number(index) % values.length] ?? name;
      });
    },
  };
}
export type Memory = ReturnType<typeof createMemory>;

/**
 * @param document the document that each `$ref` of the schema points into
 * @returns values for one named part of a request
 */
export function valuesOf(schema: Json, document: Json, name = ''): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: VALID_WEIGHT, arbitrary: validValues(schema, document, name) },
    { weight: 1, arbitrary: UNUSUAL },
  );
}

function validValues(schema: Json, document: Json, name: string): fc.Arbitrary<unknown> {
  const among = (options: Json[]) => fc.oneof(...options.map((option) => valuesOf(option, document, name)));
  if (schema.$ref) return validValues(resolve(document, schema.$ref), document, name);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.oneOf ?? schema.anyOf) return among(schema.oneOf ?? schema.anyOf);
  if (schema.allOf) return validValues(Object.assign({}, ...schema.allOf), document, name);
  if (Array.isArray(schema.type)) return among(schema.type.map((type: string) => ({ ...schema, type })));
  switch (schema.type) {
    case 'object':
      return objects(schema, document);
    case 'array': {
      const { items = {}, minItems: minLength = 0 } = schema;
      return fc.array(valuesOf(items, document, name), { minLength, maxLength: Math.max(minLength, LIST_MAX) });
    }
    case 'string':
      return strings(schema, name);
    case 'integer':
    case 'number':
      return numbers(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue();
  }
}

function objects(schema: Json, document: Json): fc.Arbitrary<unknown> {
  const entries = Object.entries<Json>(schema.properties ?? {});
  const fields = entries.map(([key, value]) => [key, valuesOf(value, document, key)]);
  const complete = fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] });
  const partial = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
  const extra = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 });
  return fc.oneof(
    { weight: VALID_WEIGHT, arbitrary: complete },
    { weight: 1, arbitrary: partial },
    { weight: 1, arbitrary: fc.tuple(complete, extra).map(([a, b]) => ({ ...(a as object), ...b })) },
  );
}

function strings(schema: Json, name: string): fc.Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = minLength + 40 } = schema;
  if (format === 'uuid') return fc.oneof(placeholder(name), fc.uuid());
  if (format === 'email') return fc.oneof(placeholder(name), fc.emailAddress());
  if (format === 'uri') return fc.oneof(placeholder(name), fc.webUrl());
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (pattern) return fc.oneof(placeholder(name), fc.stringMatching(new RegExp(pattern)));
  const texts = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 2000) });
  return fc.oneof(placeholder(name), texts, fc.string({ minLength, maxLength: maxLength + 1 }));
}

function numbers(schema: Json): fc.Arbitrary<number> {
  const { minimum: min = -(2 ** 31), maximum: max = 2 ** 31 } = schema;
  if (schema.type === 'number') return fc.double({ min, max, noNaN: true });
  return fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min, max }) },
    { weight: 1, arbitrary: fc.constantFrom(min - 1, max + 1) },
  );
}

/** @throws Error if the document lacks the reference's target */
export function resolve(document: Json, reference: string): Json {
  const path = reference.split('/').slice(1);
  const found = path.reduce((node, key) => node?.[key], document);
  if (found === undefined) throw new Error(`${reference} leads nowhere.`);
  return found;
}
