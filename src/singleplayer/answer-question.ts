// Judges one answer of a quiz. [contract 3]
import { randomUUID } from 'node:crypto';
import type { RedisClient } from '../platform/redis/redis.ts';
import type { AnswerRequest, AnswerResult } from './schema.ts';
import { judgeAnswer } from './store.ts';

/**
 * @param userId the user who answers
 * @throws AppError SESSION_NOT_FOUND, SESSION_FORBIDDEN, QUESTION_NOT_FOUND, QUESTION_ALREADY_ANSWERED,
 *   whichever applies first
 */
export async function answerQuestion(
  { redis }: { redis: RedisClient },
  userId: string,
  answer: AnswerRequest,
): Promise<AnswerResult> {
  const judged = await judgeAnswer(redis, userId, answer, randomUUID());
  const { correctOptionId, nonce, correct, answered, total } = judged;
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
