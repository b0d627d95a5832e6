// The points of an answer, at the limits of the formulas and between them. [contract 4]
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SCORING_NAMES, SCORINGS } from '../../src/scoring/scoring.ts';

const { accuracy, speed, streak } = SCORINGS;

const RUNS = { numRuns: 1000, seed: 20_261_121 };

/** A correct answer at any time in a round of any configurable duration. */
const MOMENTS = fc
  .record({ roundMs: fc.integer({ min: 100, max: 600_000 }), share: fc.double({ min: 0, max: 1 }) })
  .filter(({ share }) => !Number.isNaN(share))
  .map(({ roundMs, share }) => ({ roundMs, elapsedMs: Math.floor(roundMs * share), correctInARow: 0 }));

describe('accuracy', () => {
  it('gives 1 point for a correct answer, at any time', () => {
    expect(accuracy({ isCorrect: true, elapsedMs: 0, roundMs: 15_000, correctInARow: 0 })).toBe(1);
    expect(accuracy({ isCorrect: true, elapsedMs: 15_000, roundMs: 15_000, correctInARow: 0 })).toBe(1);
  });
});

describe('speed', () => {
  const right = (elapsedMs: number, roundMs = 15_000) =>
    speed({ isCorrect: true, elapsedMs, roundMs, correctInARow: 0 });

  it('gives 1000 points at once, 750 at half time, 500 at the deadline', () => {
    expect([right(0), right(7500), right(15_000)]).toEqual([1000, 750, 500]);
  });

  it('is rounded to the nearest whole number', () => {
    expect(right(14)).toBe(1000); // 999.533
    expect(right(16)).toBe(999); // 999.467
    expect(right(14_984)).toBe(501); // 500.533
    expect(right(14_986)).toBe(500); // 500.467
  });

  it('is 1000 × (1 − elapsed ÷ (2 × round time)) at all times of all rounds', () => {
    fc.assert(
      fc.property(MOMENTS, ({ elapsedMs, roundMs }) => {
        const points = right(elapsedMs, roundMs);
        expect(Number.isInteger(points)).toBe(true);
        expect(points).toBeGreaterThanOrEqual(500);
        expect(points).toBeLessThanOrEqual(1000);
        expect(Math.abs(points - (1000 - (500 * elapsedMs) / roundMs))).toBeLessThan(0.500001);
      }),
      RUNS,
    );
  });

  it('never gives more for a later answer', () => {
    fc.assert(
      fc.property(MOMENTS, fc.nat({ max: 600_000 }), ({ elapsedMs, roundMs }, laterMs) => {
        expect(right(elapsedMs + laterMs, roundMs)).toBeLessThanOrEqual(right(elapsedMs, roundMs));
      }),
      RUNS,
    );
  });

  it('stays within its limits if a clock has jumped', () => {
    expect(right(-5)).toBe(1000);
    expect(right(15_001)).toBe(500);
  });
});

describe('streak', () => {
  const right = (correctInARow: number) => streak({ isCorrect: true, elapsedMs: 7500, roundMs: 15_000, correctInARow });

  it('is speed, plus 100 for each correct answer in a row before this one, at most 500', () => {
    expect([0, 1, 2, 5, 6, 19].map(right)).toEqual([750, 850, 950, 1250, 1250, 1250]);
  });
});

describe('every scoring', () => {
  it('is named in the contract', () => {
    expect(SCORING_NAMES).toEqual(['accuracy', 'speed', 'streak']);
  });

  it('gives no points for a wrong answer', () => {
    fc.assert(
      fc.property(MOMENTS, fc.constantFrom(...SCORING_NAMES), (moment, name) => {
        expect(SCORINGS[name]({ isCorrect: false, ...moment })).toBe(0);
      }),
      RUNS,
    );
  });
});
