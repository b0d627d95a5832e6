// A correct answer earns the points of `speed`, and 100 for each consecutive correct answer before it, at
// most 500. [contract 11]
import type { Scoring } from './scoring.ts';
import { speed } from './speed.ts';

const POINTS_EACH = 100;
const MAX_EXTRA_POINTS = 500;

export const streak: Scoring = (answer) =>
  answer.isCorrect ? speed(answer) + Math.min(MAX_EXTRA_POINTS, POINTS_EACH * answer.correctInARow) : 0;
