// The type of a scoring rule.

/** The facts of an answer that a scoring rule may use. */
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
