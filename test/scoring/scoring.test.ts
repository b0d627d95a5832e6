// The points of an answer, at the limits of the formulas and between them. [contract 4]
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SCORINGS } from '../../src/scoring/scoring.ts';

const { accuracy, speed, streak } = SCORINGS;

const RUNS = { numRuns: 1000, seed: 20_261_121 };

/** A correct answer at any time in a round of any configurable duration. */
const MOMENTS = fc
  .record({ roundMs: fc.integer({ min: 100, max: 600_000 }), share: fc.double({ min: 0, max: 1 }) })
  .filter(({ share }) => !Number.isNaN(share))
  .map(({ roundMs, share }) => ({ roundMs, elapsedMs: Math.floor(roundMs * share), correctInARow: 0 }));

it('accuracy gives 1 point for a correct answer, at any time', () => {
  for (const elapsedMs of [0, 15_000])
    expect(accuracy({ isCorrect: true, elapsedMs, roundMs: 15_000, correctInARow: 0 })).toBe(1);
});

describe('speed', () => {
  const right = (elapsedMs: number, roundMs = 15_000) =>
    speed({ isCorrect: true, elapsedMs, roundMs, correctInARow: 0 });

  it('is 1000 × (1 − elapsed ÷ (2 × round time)) at all times of all rounds', () => {
    fc.assert(
      fc.property(MOMENTS, ({ elapsedMs, roundMs }) => {
        const points = right(elapsedMs, roundMs);
        expect(Number.isInteger(points)).toBe(true);
        expect(Math.abs(points - (1000 - (500 * elapsedMs) / roundMs))).toBeLessThan(0.500001);
      }),
      RUNS,
    );
  });

  it('stays within its limits if a clock has jumped', () => {
    expect(right(-5)).toBe(1000);
    expect(right(15_001)).toBe(500);
  });
});

it('streak is speed, plus 100 for each correct answer in a row before this one, at most 500', () => {
  const right = (correctInARow: number) => streak({ isCorrect: true, elapsedMs: 7500, roundMs: 15_000, correctInARow });
  expect([0, 1, 2, 5, 6, 19].map(right)).toEqual([750, 850, 950, 1250, 1250, 1250]);
});

it('every scoring gives no points for a wrong answer', () => {
  fc.assert(
    fc.property(MOMENTS, fc.constantFrom('accuracy', 'speed', 'streak'), (moment, name) => {
      expect(SCORINGS[name]({ isCorrect: false, ...moment })).toBe(0);
    }),
    RUNS,
  );
});
