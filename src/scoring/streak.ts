// As `speed`, and 100 more for each correct answer in a row before this one, 500 at most. [contract 11]
import type { Scoring } from './scoring.ts';
import { speed } from './speed.ts';

const POINTS_EACH = 100;
const MAX_EXTRA_POINTS = 500;

export const streak: Scoring = (answer) =>
  answer.isCorrect
    ? speed(answer) + Math.min(MAX_EXTRA_POINTS, POINTS_EACH * answer.correctInARow)
    : 0;
