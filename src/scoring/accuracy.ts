// One point for a correct answer. [contract 4]
import type { Scoring } from './scoring.ts';

export const accuracy: Scoring = ({ isCorrect }) => (isCorrect ? 1 : 0);
