// What the memory reads of a stored judgement. That of a chosen answer has no verdict. [contract 13, 20]
import { z } from 'zod';
import { VERDICTS, type Verdict } from '../judging/verdict.ts';

/** The fields of a stored judgement. */
export const judged = { isCorrect: z.boolean(), verdict: z.enum(VERDICTS).nullish() };

/** @returns the verdict on an answer, which a chosen one has by being correct */
export function verdictOfJudged({
  isCorrect,
  verdict,
}: {
  isCorrect: boolean;
  verdict?: Verdict | null | undefined;
}): Verdict {
  return verdict ?? (isCorrect ? 'right' : 'wrong');
}
