// A correct answer earns 1000 points × (1 − elapsed ÷ (2 × round time)), rounded: 1000 at the beginning of
// the round, 500 at its end. [contract 4]
import type { Scoring } from './scoring.ts';

const MAX_POINTS = 1000;

export const speed: Scoring = ({ isCorrect, elapsedMs, roundMs }) => {
  if (!isCorrect) return 0;
  const elapsed = Math.min(Math.max(elapsedMs, 0), roundMs);
  return Math.round(MAX_POINTS * (1 - elapsed / (2 * roundMs)));
};
