// The schemas of answers that are typed or chosen. [contract 20]
import { z } from 'zod';
import { type AppError, invalid } from '../../errors.ts';
import { VERDICTS } from '../../judging/verdict.ts';
import { tidyText } from '../text.ts';

/** The maximum length of a typed answer, in code points. */
export const ANSWER_LENGTH = 120;

export const AnswerMode = z
  .enum(['choice', 'typed'])
  .meta({ id: 'AnswerMode', description: '`choice`: questions have four options. `typed`: the answer is a text.' });
export type AnswerMode = z.output<typeof AnswerMode>;

export const VerdictSchema = z
  .enum(VERDICTS)
  .meta({ id: 'Verdict', description: 'How a typed answer is judged. `close` is right but for a slip.' });

/** What a judgement reveals of a typed question. */
export const typedSolution = {
  correctText: z.string().optional().describe('Only of a typed question: the translation that was asked.'),
  accepted: z
    .array(z.string())
    .optional()
    .describe(
      'Only of a typed question: the accepted translations, the asked one at first, and beside it as many as 400 bytes hold.',
    ),
};

/** The fields of a request that answers a question. The request's schema adds `.check(oneAnswer)`. */
export const answerFields = {
  optionId: z.int().min(0).max(3).optional().describe('The chosen option.'),
  text: tidyText(ANSWER_LENGTH).optional().describe('The answer to a typed question, instead of `optionId`.'),
};

/** A zod check that refuses an answer with both fields or with none. */
export function oneAnswer({
  value,
  issues,
}: z.core.ParsePayload<{ optionId?: number | undefined; text?: string | undefined }>): void {
  if ((value.optionId === undefined) !== (value.text === undefined)) return;
  const [path, message] =
    value.text === undefined ? ['optionId', 'is required'] : ['text', 'must not be combined with optionId'];
  issues.push({ code: 'custom', path: [path], message, input: value });
}

/** An answer to a question: a chosen option, or a text after NFC and trimming. */
export type Answer = { optionId: number } | { text: string };

/** @returns the answer of a request that `oneAnswer` has accepted */
export function answerOf({ optionId, text }: { optionId?: number | undefined; text?: string | undefined }): Answer {
  return text === undefined ? { optionId: optionId as number } : { text };
}

/** @returns the refusal of an answer in another mode than that of its question */
export function wrongMode(answer: Answer): AppError {
  return invalid([
    'text' in answer
      ? { path: 'text', message: 'must not be given: the question has options' }
      : { path: 'optionId', message: 'must not be given: the question has no options' },
  ]);
}
