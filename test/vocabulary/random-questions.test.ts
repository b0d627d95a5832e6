// The distribution and the cost of randomly drawn questions.
import { describe, expect, test } from 'vitest';
import { buildQuestions, preparePool } from '../../src/vocabulary/rules.ts';
import { play, seeded, stored, words } from '../support/terms.ts';

/** @returns Pearson's statistic, by which `counts` differ from a uniform distribution */
function chiSquare(counts: number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe('the random selection', () => {
  const pool = preparePool(words(40).map(stored), []);
  const games = Array.from({ length: 800 }, (_, seed) => play(pool, 10, seed));

  test('puts the correct option at each position with equal probability', () => {
    const counts = [0, 0, 0, 0];
    for (const { correctOptionId } of games.flat()) counts[correctOptionId] = (counts[correctOptionId] ?? 0) + 1;
    // With 3 degrees of freedom, chance exceeds this once in a thousand; the seeds are fixed.
    expect(chiSquare(counts)).toBeLessThan(16.27);
  });

  test('draws every term with equal probability, at every position', () => {
    for (const questions of [games.flat(), games.flatMap((game) => game.slice(0, 1))]) {
      const counts = Map.groupBy(questions, ({ question }) => question.prompt);
      expect(counts.size).toBe(40);
      // With 39 degrees of freedom, chance exceeds this once in a thousand.
      expect(chiSquare([...counts.values()].map((drawn) => drawn.length))).toBeLessThan(72.05);
    }
  });

  test('asks each translation of a prompt', () => {
    const twins = words(40).flatMap((word, at) => [word, { ...word, targetText: `u${at}` }]);
    const both = preparePool(twins.map(stored), []);
    const right = Array.from({ length: 200 }, (_, seed) => play(both, 10, seed))
      .flat()
      .map(({ question, correctOptionId }) => question.options[correctOptionId]?.text);
    expect(new Set(right).size).toBe(80);
  });

  test('uses every translation as a distractor, and none much more often than the others', () => {
    const wrong = games
      .flat()
      .flatMap(({ question, correctOptionId }) => question.options.filter((o) => o.optionId !== correctOptionId));
    const counts = Map.groupBy(wrong, ({ text }) => text);
    expect(counts.size).toBe(40);
    const most = Math.max(...[...counts.values()].map((drawn) => drawn.length));
    expect(most).toBeLessThan((2 * wrong.length) / 40);
  });

  test('costs the same in a large pool as in a small one', () => {
    const drawsFrom = (size: number) => {
      let draws = 0;
      const random = seeded(7);
      const pool = preparePool(words(size).map(stored), []);
      const counted = (bound: number) => {
        draws += 1;
        return random(bound);
      };
      Array.from(buildQuestions({ pool, count: 10, random: counted, newId: () => 'id' }));
      return draws;
    };
    expect(drawsFrom(20_000)).toBeLessThan(1.5 * drawsFrom(200));
  });
});
