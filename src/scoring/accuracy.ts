// A correct answer earns one point. [contract 4]
import type { Scoring } from './scoring.ts';

export const accuracy: Scoring = ({ isCorrect }) => (isCorrect ? 1 : 0);
