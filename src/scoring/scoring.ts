// The scoring rules by name: how many points an answer earns. Pure. [contract 4, 11]

interface ScoredAnswer {
  isCorrect: boolean;
  /** The time from the opening of the round to the answer, by the Redis server's clock. */
  elapsedMs: number;
  roundMs: number;
  /** The number of consecutive rounds before this one that the player answered correctly. */
  correctInARow: number;
}

/** @returns the points of an answer, a whole number from 0 */
export type Scoring = (answer: ScoredAnswer) => number;

const MAX_POINTS = 1000;
const STREAK_POINTS_EACH = 100;
const MAX_STREAK_POINTS = 500;

const accuracy: Scoring = ({ isCorrect }) => (isCorrect ? 1 : 0);

/** A correct answer earns 1000 × (1 − elapsed ÷ (2 × round time)), rounded: 1000 at the beginning, 500 at the end. */
const speed: Scoring = ({ isCorrect, elapsedMs, roundMs }) => {
  if (!isCorrect) return 0;
  const elapsed = Math.min(Math.max(elapsedMs, 0), roundMs);
  return Math.round(MAX_POINTS * (1 - elapsed / (2 * roundMs)));
};

/** A correct answer earns the points of `speed`, and 100 for each consecutive correct one before it, at most 500. */
const streak: Scoring = (answer) =>
  answer.isCorrect ? speed(answer) + Math.min(MAX_STREAK_POINTS, STREAK_POINTS_EACH * answer.correctInARow) : 0;

export const SCORINGS = { accuracy, speed, streak } as const satisfies Record<string, Scoring>;

export type ScoringName = keyof typeof SCORINGS;
export const SCORING_NAMES = Object.keys(SCORINGS) as [ScoringName, ...ScoringName[]];
