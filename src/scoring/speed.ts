// 1000 points × (1 − elapsed ÷ (2 × round time)) for a correct answer, rounded: 1000 at once, 500 at
// the bell. [contract 4]
import type { Scoring } from './scoring.ts';

const MAX_POINTS = 1000;

export const speed: Scoring = ({ isCorrect, elapsedMs, roundMs }) => {
  if (!isCorrect) return 0;
  const elapsed = Math.min(Math.max(elapsedMs, 0), roundMs);
  return Math.round(MAX_POINTS * (1 - elapsed / (2 * roundMs)));
};
