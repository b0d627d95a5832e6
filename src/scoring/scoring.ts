// What a scoring rule is.

/** What a scoring rule may look at. */
export interface ScoredAnswer {
  isCorrect: boolean;
  /** From the opening of the round to the answer, by the Redis server's clock. */
  elapsedMs: number;
  roundMs: number;
  /** How many rounds just before this one the player answered correctly. */
  correctInARow: number;
}

/** @returns the points that an answer earns, a whole number from 0 */
export type Scoring = (answer: ScoredAnswer) => number;
