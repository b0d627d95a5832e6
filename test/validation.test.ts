import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { toFieldErrors, validationFailed } from '../src/validation.ts';

const typed = (type: string) => z.object({ type: z.literal(type) });

/** @returns the errors that a client receives about `input`, as `path: message` */
function errorsOf(schema: z.ZodType, input: unknown): string[] {
  const issues = schema.safeParse(input).error?.issues ?? [];
  return toFieldErrors(issues).map(({ path, message }) => (path ? `${path}: ${message}` : message));
}

it.each([
  ['a missing field', z.object({ code: z.string() }), {}, 'code: is required'],
  ['a wrong type', z.object({ code: z.string() }), { code: 1 }, 'code: must be a string'],
  ['no whole number', z.int(), 1.5, 'must be a whole number'],
  ['no number at all', z.number(), Number.NaN, 'must be a number'],
  ['no boolean', z.boolean(), 'x', 'must be true or false'],
  ['no list', z.array(z.string()), {}, 'must be a list'],
  ['no object', z.strictObject({}), [], 'must be an object'],
  ['too small', z.int().min(1), 0, 'must be at least 1'],
  ['too big', z.int().max(50), 51, 'must be at most 50'],
  ['not below', z.int().lt(5), 5, 'must be less than 5'],
  ['not above', z.int().gt(5), 5, 'must be more than 5'],
  ['too short', z.string().min(1), '', 'must be at least 1 character long'],
  ['too long', z.string().max(64), 'x'.repeat(65), 'must be at most 64 characters long'],
  ['not of that length', z.string().length(6), 'x', 'must be exactly 6 characters long'],
  ['too few items', z.array(z.int()).min(2), [1], 'must have at least 2 items'],
  ['not that many items', z.array(z.int()).length(4), [1], 'must have exactly 4 items'],
  ['not in the list', z.enum(['en', 'it']), 'xx', 'must be one of en, it'],
  ['not that value', z.literal('a'), 'b', 'must be a'],
  [
    'no such variant',
    z.discriminatedUnion('type', [typed('a'), typed('b')]),
    { type: 'c' },
    'type: must be one of a, b',
  ],
  ['no variant', z.union([z.string(), z.int()]), true, 'is not valid'],
  ['no UUID', z.uuid(), 'x', 'must be a UUID'],
  ['no time', z.iso.datetime(), 'x', 'must be an ISO 8601 time in UTC'],
  ['no such form', z.string().regex(/^a/), 'b', 'does not have the right form'],
  ['no multiple', z.int().multipleOf(5), 3, 'must be a multiple of 5'],
  ['a rule of ours', z.string().refine(() => false, 'must differ from the other'), 'x', 'must differ from the other'],
  ['a rule without words', z.string().refine(() => false), 'x', 'is not valid'],
  ['an unknown field', z.strictObject({}), { x: 1 }, 'has an unknown field'],
  ['unknown fields', z.strictObject({ s: z.strictObject({}) }), { s: { x: 1, y: 2 } }, 's: has unknown fields'],
  ['a bad key', z.record(z.string().max(1), z.int()), { key: 1 }, 'is not valid'],
] as [string, z.ZodType, unknown, string][])('%s', (_kind, schema, input, message) => {
  expect(errorsOf(schema, input)).toEqual([message]);
});

it('names nested fields by dots, and list items by their number', () => {
  const schema = z.object({ settings: z.object({ rounds: z.int() }), ids: z.array(z.uuid()) });
  expect(errorsOf(schema, { settings: { rounds: 'x' }, ids: ['x'] })).toEqual([
    'settings.rounds: must be a number',
    'ids.0: must be a UUID',
  ]);
});

it('[contract 1] never contains the input: neither values nor names of unknown fields', () => {
  const schema = z.strictObject({
    code: z.string().length(6),
    count: z.int().min(1).max(50),
    pos: z.enum(['noun', 'verb']),
    settings: z.strictObject({ id: z.uuid() }),
  });
  const marked = fc.string().map((text) => `§${text}§`);
  const field = fc.oneof(marked, fc.dictionary(marked, marked), fc.array(marked), fc.constant(null));
  const inputs = fc.oneof(
    field,
    fc.record({ code: field, count: field, pos: field, settings: field }, { requiredKeys: [] }),
    fc.record({ settings: fc.dictionary(marked, field) }),
  );
  fc.assert(
    fc.property(inputs, (input) => {
      const { error } = schema.safeParse(input);
      expect(error).toBeDefined();
      const problem = validationFailed(error?.issues ?? []);
      expect(problem.errors?.length).toBeGreaterThan(0);
      expect(JSON.stringify([problem.message, problem.errors])).not.toContain('§');
    }),
  );
});
