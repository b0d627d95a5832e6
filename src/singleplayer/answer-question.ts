// Judges one answer of a quiz. [contract 3]
import { randomUUID } from 'node:crypto';
import type { Services } from '../services.ts';
import { answerOf } from '../vocabulary/schema.ts';
import { isAttemptId } from './keys.ts';
import type { AnswerRequest, AnswerResult } from './schema.ts';
import { judgeAnswer, type QuizJudgement } from './store.ts';

type AnswerServices = Pick<Services, 'postgres' | 'redis'> & {
  /** Judges an answer in an attempt of an assignment, which this part doesn't know. [contract 21] */
  answerAttempt(userId: string, request: AnswerRequest, key?: string): Promise<AnswerResult>;
};

/**
 * @param key by which the client repeats the request: the reply is then that of the first one [contract 23]
 * @throws AppError IDEMPOTENCY_KEY_REUSED, SESSION_NOT_FOUND, SESSION_FORBIDDEN, QUESTION_NOT_FOUND,
 *   VALIDATION_FAILED for the answer of another mode, QUESTION_ALREADY_ANSWERED, whichever applies first
 */
export async function answerQuestion(
  deps: AnswerServices,
  userId: string,
  request: AnswerRequest,
  key?: string,
): Promise<AnswerResult> {
  const { sessionId, questionId, ...fields } = request;
  if (isAttemptId(sessionId)) return deps.answerAttempt(userId, request, key);
  const answer = { sessionId, questionId, ...answerOf(fields) };
  const judged = await judgeAnswer(deps, userId, answer, randomUUID(), key);
  const { nonce, correct, answered, total, ...judgement } = judged;
  return { sessionId, questionId, nonce, ...shown(fields, judgement), score: { correct, answered, total } };
}

function shown({ optionId, text }: Pick<AnswerRequest, 'optionId' | 'text'>, judgement: QuizJudgement) {
  if ('verdict' in judgement) {
    const { verdict, accepted } = judgement;
    const [correctText] = accepted;
    const isCorrect = verdict !== 'wrong';
    return { submittedText: text, verdict, isCorrect, correctText, accepted };
  }
  const { correctOptionId } = judgement;
  return { selectedOptionId: optionId, correctOptionId, isCorrect: optionId === correctOptionId };
}
