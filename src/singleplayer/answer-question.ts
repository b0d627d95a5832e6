// Judges one answer of a game for one. [contract 3]
import { randomUUID } from 'node:crypto';
import { AppError, type ErrorCode } from '../errors.ts';
import type { RedisClient } from '../platform/redis.ts';
import type { AnswerRequest, AnswerResult } from './schema.ts';
import { type Judgement, judgeAnswer } from './store.ts';

const REFUSALS: Record<Exclude<Judgement['word'], 'judged'>, ErrorCode> = {
  session_not_found: 'SESSION_NOT_FOUND',
  session_forbidden: 'SESSION_FORBIDDEN',
  question_not_found: 'QUESTION_NOT_FOUND',
  already_answered: 'QUESTION_ALREADY_ANSWERED',
};

/**
 * @param userId who answers
 * @throws AppError SESSION_NOT_FOUND, SESSION_FORBIDDEN, QUESTION_NOT_FOUND,
 * QUESTION_ALREADY_ANSWERED, whichever applies first
 */
export async function answerQuestion(
  { redis }: { redis: RedisClient },
  userId: string,
  answer: AnswerRequest,
): Promise<AnswerResult> {
  const judgement = await judgeAnswer(redis, userId, answer, randomUUID());
  if (judgement.word !== 'judged') throw new AppError(REFUSALS[judgement.word]);
  const { correctOptionId, nonce, correct, answered, total } = judgement;
  return {
    sessionId: answer.sessionId,
    questionId: answer.questionId,
    selectedOptionId: answer.optionId,
    correctOptionId,
    nonce,
    isCorrect: answer.optionId === correctOptionId,
    score: { correct, answered, total },
  };
}
