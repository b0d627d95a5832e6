// Questions and results of rounds as the page keeps them.
import type { ResolvedRound } from '../../src/web/game/game-state.ts';

/** @returns a question whose options are the prompt and a number from 0 */
export const questionOf = (prompt: string) => ({
  questionId: prompt,
  prompt,
  options: [0, 1, 2, 3].map((optionId) => ({ optionId, text: `${prompt} ${optionId}` })),
  commitment: '',
});

/** @returns a round in which nobody has answered, with `change` */
export const roundOf = (change: Partial<ResolvedRound> = {}): ResolvedRound => ({
  number: 1,
  question: null,
  correctOptionId: 2,
  reason: 'timeout',
  answers: [],
  counts: { options: [], none: 1, correct: 0 },
  isLast: false,
  ...change,
});
