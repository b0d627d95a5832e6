// Translates typed rounds into rounds with two options for the model, which knows no texts: option 0 is right, option 1
// wrong. [contract 20]
import type { AnswerResultEvent } from '../history.ts';

const RIGHT = 0;
const WRONG = 1;

/** @returns the result as the model plays it; one with options is unchanged */
export function asOptions(result: AnswerResultEvent): AnswerResultEvent {
  if (result.correctText === undefined) return result;
  const answers = result.answers?.map(({ verdict = null, ...answer }) => {
    const selectedOptionId = verdict === null ? null : verdict === 'wrong' ? WRONG : RIGHT;
    return { ...answer, selectedOptionId };
  });
  return { ...result, correctOptionId: RIGHT, ...(answers && { answers }) };
}
