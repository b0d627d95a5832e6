// A valid list that is as expensive as possible costs no more than an ordinary one. [contract 14, 17]
import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { toTerms } from '../../src/vocabulary/lists/rules.ts';
import type { ListTerm } from '../../src/vocabulary/lists/schema.ts';
import {
  buildQuestions,
  type Pool,
  preparePool,
  requireSupply,
} from '../../src/vocabulary/rules.ts';
import { costRatio } from '../support/cpu.ts';
import { ASKABLE, ORDINARY, UNASKABLE } from '../support/hostile-lists.ts';

const COUNT = 50;
const STARTS = 2;

const poolOf = (list: ListTerm[]) => preparePool(toTerms(list), []);
const starts = (pool: Pool) => () => {
  for (let start = 0; start < STARTS; start++)
    buildQuestions({ pool, count: COUNT, random: randomInt, newId: randomUUID });
};
const refusals = (pool: Pool) => () => {
  for (let start = 0; start < STARTS; start++) expect(starts(pool)).toThrow(AppError);
};

describe('a start with an expensive list', () => {
  test.each(Object.entries(ASKABLE))(
    'costs at most twice as much as an ordinary start if the list has %s',
    async (_what, list) => {
      const [ordinary, hostile] = [poolOf(ORDINARY), poolOf(list)];
      expect(await costRatio(2, starts(hostile), starts(ordinary))).toBeLessThan(2);
    },
  );

  test.each(Object.entries(UNASKABLE))('is refused at once if the list has %s', async (_, list) => {
    const [ordinary, hostile] = [poolOf(ORDINARY), poolOf(list)];
    expect(await costRatio(1, refusals(hostile), starts(ordinary))).toBeLessThan(1);
  });
});

test('impossible questions are counted when a list is stored, and a start is refused by these counts alone', () => {
  for (const list of Object.values(UNASKABLE)) {
    const { supply } = poolOf(list);
    expect(supply).toMatchObject({ terms: 2000, questions: 0 });
    expect(() => requireSupply(supply, 1)).toThrow('too alike');
  }
  for (const list of Object.values(ASKABLE)) {
    const { supply } = poolOf(list);
    requireSupply(supply, supply.questions);
    expect(() => requireSupply(supply, supply.questions + 1)).toThrow(AppError);
  }
});

test.each(Object.entries({ ...ASKABLE, ...UNASKABLE }))(
  'counting the questions of a list takes time in proportion to its length if it has %s',
  async (_what, list) => {
    const part = list.slice(0, list.length / 4);
    const ratio = await costRatio(
      3,
      () => poolOf(list),
      () => [1, 2, 3, 4].map(() => poolOf(part)),
    );
    expect(ratio).toBeLessThan(3);
  },
);
