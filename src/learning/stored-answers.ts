// The parts that the memory reads of stored judgements: of quizzes, of attempts, and of games. [contract 13, 20]
import { z } from 'zod';
import { VERDICTS, type Verdict } from '../judging/verdict.ts';

/** The fields of the stored judgement of an answer. That of a chosen one has no verdict. */
export const judged = { isCorrect: z.boolean(), verdict: z.enum(VERDICTS).nullish(), judgedAtMs: z.number() };

/** @returns the verdict on an answer, which a chosen one has by being correct */
export function verdictOfJudged(answer: { isCorrect: boolean; verdict?: Verdict | null | undefined }): Verdict {
  return answer.verdict ?? (answer.isCorrect ? 'right' : 'wrong');
}

/** The chosen option, or the verdict on a typed answer; null without an answer. */
const Given = z.union([z.int().min(0).max(3), z.enum(VERDICTS)]).nullable();
export type Given = z.output<typeof Given>;

/**
 * An answer is a short array, which is empty if none was given: the option or verdict, points, ms, and a typed text. An
 * object with the player's id would be ten times as long, and so most of what is read and written at a game's end.
 */
const AnswerRecord = z.union([z.tuple([]), z.tuple([Given, z.int().min(0), z.int().min(0)]).rest(z.string())]);

export const LearnableRound = z.object({
  prompt: z.string(),
  gloss: z.string().optional(),
  correctOptionId: z.int().min(0).max(3).optional(),
  judgedAt: z.iso.datetime(),
  /** By the player's number; null for who was not there. Players who came after the round have no place. */
  answers: z.array(AnswerRecord.nullable()),
  /** The answers of players who left before the judgement, each with the number of its player. */
  departedAnswers: z.array(z.tuple([z.int().min(0), Given])),
});
export type LearnableRound = z.output<typeof LearnableRound>;

/** @returns the verdict, which a chosen option has by being the right one; null without an answer */
export function verdictOfGiven(
  { correctOptionId }: Pick<LearnableRound, 'correctOptionId'>,
  given: Given,
): Verdict | null {
  if (typeof given !== 'number') return given;
  return given === correctOptionId ? 'right' : 'wrong';
}
