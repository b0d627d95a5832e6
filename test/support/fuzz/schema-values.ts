// Values made from JSON Schemas: mostly such as fit, here and there one that doesn't. What a schema
// gets later is fuzzed without a word here.
import fc from 'fast-check';

// biome-ignore lint/suspicious/noExplicitAny: a schema of any shape
export type Json = any;

const LIST_MAX = 5;
const KNOWN_COUNT = 8;
const FITTING = 9;

/** What breaks programs: of the wrong type, too large, too deep, and text that isn't what it seems. */
const NASTY = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, true, '', [], {}, [[]], -1, -0, 0.1, 2 ** 31, 2 ** 53, 1e308, -1e308],
    ...[
      '\u0000',
      'a\u0000b',
      '\ud800',
      '\udfff\ud800',
      '\u202eabc',
      '\u200b',
      '\ufeff',
      '\r\nX: y',
    ],
    ...[
      'ﬃ',
      'İ',
      'ß',
      'e\u0301'.repeat(99),
      '👩‍👩‍👧‍👦'.repeat(30),
      '../../etc',
      '%00',
      "'; --",
      '#{7*7}',
    ],
    ...['__proto__', 'constructor', 'toString', '{{x}}', 'NaN', '1e3', '0x10', '9'.repeat(400)],
    ...['x'.repeat(20_000), 'x'.repeat(70_000), { length: 3 }, { toString: 1, valueOf: 1 }],
    { toJSON: 'x', constructor: { prototype: { polluted: true } } },
  ),
  fc.jsonValue({ depthSize: 'small' }),
  fc.string({ unit: 'binary', size: 'large' }),
);

/** Stands for a value that the service has told under this name; see `createMemory`. */
const known = (name: string) => fc.nat(KNOWN_COUNT - 1).map((index) => `§${name}:${index}§`);

/** What a service has told, so that requests can come back with it. */
export function createMemory() {
  const told = new Map<string, string[]>();
  return {
    /** Keeps the last strings of each name in a reply. */
    keep(value: unknown): void {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, item] of Object.entries(value)) {
        if (typeof item !== 'string') this.keep(item);
        else told.set(name, [item, ...(told.get(name) ?? [])].slice(0, KNOWN_COUNT));
      }
    },
    /** @returns the text with what is known in its places */
    fill(text: string): string {
      return text.replace(/§(\w+):(\d)§/g, (_, name: string, index: string) => {
        const values = told.get(name) ?? [];
        return values[Number(index) % values.length] ?? name;
      });
    },
  };
}
export type Memory = ReturnType<typeof createMemory>;

/**
 * @param document where the schema's `$ref`s lead
 * @returns values for one named part of a request
 */
export function valuesOf(schema: Json, document: Json, name = ''): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: FITTING, arbitrary: fitting(schema, document, name) },
    { weight: 1, arbitrary: NASTY },
  );
}

function fitting(schema: Json, document: Json, name: string): fc.Arbitrary<unknown> {
  const among = (options: Json[]) =>
    fc.oneof(...options.map((option) => valuesOf(option, document, name)));
  if (schema.$ref) return fitting(resolve(document, schema.$ref), document, name);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.oneOf ?? schema.anyOf) return among(schema.oneOf ?? schema.anyOf);
  if (schema.allOf) return fitting(Object.assign({}, ...schema.allOf), document, name);
  if (Array.isArray(schema.type))
    return among(schema.type.map((type: string) => ({ ...schema, type })));
  switch (schema.type) {
    case 'object':
      return objects(schema, document);
    case 'array': {
      const { items = {}, minItems: minLength = 0 } = schema;
      const maxLength = Math.max(minLength, LIST_MAX);
      return fc.array(valuesOf(items, document, name), { minLength, maxLength });
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
    { weight: FITTING, arbitrary: complete },
    { weight: 1, arbitrary: partial },
    {
      weight: 1,
      arbitrary: fc.tuple(complete, extra).map(([a, b]) => ({ ...(a as object), ...b })),
    },
  );
}

function strings(schema: Json, name: string): fc.Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = minLength + 40 } = schema;
  if (format === 'uuid') return fc.oneof(known(name), fc.uuid());
  if (format === 'email') return fc.oneof(known(name), fc.emailAddress());
  if (format === 'uri') return fc.oneof(known(name), fc.webUrl());
  if (format === 'date-time')
    return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (pattern) return fc.oneof(known(name), fc.stringMatching(new RegExp(pattern)));
  const texts = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 2000) });
  return fc.oneof(known(name), texts, fc.string({ minLength, maxLength: maxLength + 1 }));
}

function numbers(schema: Json): fc.Arbitrary<number> {
  const { minimum: min = -(2 ** 31), maximum: max = 2 ** 31 } = schema;
  if (schema.type === 'number') return fc.double({ min, max, noNaN: true });
  return fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min, max }) },
    { weight: 1, arbitrary: fc.constantFrom(min - 1, max + 1) },
  );
}

/** @throws Error when the reference leads nowhere */
export function resolve(document: Json, reference: string): Json {
  const path = reference.split('/').slice(1);
  const found = path.reduce((node, key) => node?.[key], document);
  if (found === undefined) throw new Error(`${reference} leads nowhere.`);
  return found;
}
