// Generates JSON texts that no serialiser would produce, as an attacker may send them.
import fc from 'fast-check';

export interface WrittenJson {
  value: unknown;
  /** The kind of error in the text; `at` is its position. */
  damage: (typeof DAMAGES)[number];
  at: number;
}

const DAMAGES = [
  'none',
  'cut',
  'empty',
  'duplicate',
  'prototype',
  'constructor',
  'deep',
  'byte order mark',
  'not UTF-8',
  'number out of range',
  'trailing',
] as const;
const UNDAMAGED_WEIGHT = 30;

/** @returns the values with an error to make in their texts; most have none */
export function writtenJson(values: fc.Arbitrary<unknown>): fc.Arbitrary<WrittenJson> {
  const damage = fc.oneof(
    { weight: UNDAMAGED_WEIGHT, arbitrary: fc.constant('none' as const) },
    { weight: DAMAGES.length, arbitrary: fc.constantFrom(...DAMAGES) },
  );
  return fc.record({ value: values, damage, at: fc.nat(40) });
}

/** @param fill replaces the placeholders of remembered values */
export function bytesOf({ value, damage, at }: WrittenJson, fill: (text: string) => string): Buffer {
  const text = fill(JSON.stringify(value) ?? '');
  const insert = (part: string) => {
    const starts = [...text.matchAll(/\{/g)].map(({ index }) => index + 1);
    const start = starts[at % Math.max(1, starts.length)] ?? 0;
    const comma = text[start] === '}' ? '' : ',';
    return `${text.slice(0, start)}${part}${comma}${text.slice(start)}`;
  };
  const of: Record<typeof damage, () => string | Buffer> = {
    none: () => text,
    cut: () => text.slice(0, at),
    empty: () => '',
    duplicate: () => text.replace(/^\{([^,{}[\]]+)/, '{$1,$1'),
    prototype: () => insert('"__proto__":{"polluted":true}'),
    constructor: () => insert('"constructor":{"prototype":{"polluted":true}}'),
    deep: () => '['.repeat(at * 200) + text + ']'.repeat(at * 200),
    'byte order mark': () => `\ufeff${text}`,
    'not UTF-8': () => Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from([0xc3, 0x28, 0xff])]),
    'number out of range': () => text.replace(/:-?\d+/, ':1e999'),
    trailing: () => `${text}{}\u0000`,
  };
  return Buffer.from(of[damage]());
}
