// The answers to a question of a hostile list. [contract 20]

import type { ListTerm } from '../../../src/vocabulary/lists/schema.ts';
import { ANSWER_LENGTH, type Question } from '../../../src/vocabulary/schema.ts';

/** `refused` repeats the longest answer to a question that is answered already. */
export const HOWS = ['right', 'close', 'wrong', 'longest', 'refused'] as const;

/** The text whose form is longest: each character stands for eighteen. */
const LONGEST = 'ﷺ'.repeat(ANSWER_LENGTH);

/** @returns the fields of an answer, of the kind that the question has; a missing question gets none */
export function answersTo(
  question: Question | undefined,
  terms: readonly ListTerm[],
): Record<(typeof HOWS)[number], object> {
  const { prompt, options } = question ?? {};
  const isRight = (text: string) =>
    terms.some(
      ({ sourceText, targetText }) =>
        (sourceText === prompt && targetText === text) || (targetText === prompt && sourceText === text),
    );
  if (options) {
    const pick = (wanted: boolean) => ({
      optionId: options.find(({ text }) => isRight(text) === wanted)?.optionId ?? 0,
    });
    const [right, wrong] = [pick(true), pick(false)];
    return { right, close: right, wrong, longest: wrong, refused: wrong };
  }
  const term = terms.find((one) => one.sourceText === prompt || one.targetText === prompt);
  const right = (term?.sourceText === prompt ? term?.targetText : term?.sourceText) ?? 'x';
  const close = right.length > 2 ? `${right.slice(0, 1)}${right.slice(2)}`.trim() : right;
  return {
    right: { text: right },
    close: { text: close },
    wrong: { text: 'no such word' },
    longest: { text: LONGEST },
    refused: { text: LONGEST },
  };
}
