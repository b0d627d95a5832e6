// The handlers of quizzes for one. [contract 3]
import { type Route, route } from '../http/operation.ts';
import type { Services } from '../services.ts';
import { answerQuestion } from './answer-question.ts';
import { operations } from './operations.ts';
import { releaseQuiz } from './quiz-budget.ts';
import type { AnswerRequest, AnswerResult } from './schema.ts';
import { startSession } from './start-session.ts';

/** @param answerAttempt judges an answer in an attempt of an assignment, which this part doesn't know [contract 21] */
export function singleplayerRoutes(
  services: Services,
  answerAttempt: (services: Services, userId: string, request: AnswerRequest, key?: string) => Promise<AnswerResult>,
): Route[] {
  const { redis } = services;
  const { sessionTtlSeconds } = services.config;
  const startDeps = { ...services, sessionTtlSeconds };
  const answerDeps = {
    ...services,
    answerAttempt: (userId: string, request: AnswerRequest, key?: string) =>
      answerAttempt(services, userId, request, key),
  };
  return [
    route(operations.startGame, ({ user, body }) => startSession(startDeps, user, body)),
    route(operations.answerQuestion, async ({ user, body, headers }) => {
      const result = await answerQuestion(answerDeps, user.id, body, headers['idempotency-key']);
      const { sessionId, score } = result;
      const quiz = { sessionId, userId: user.id, guestFrom: user.guestFrom };
      if (score.answered === score.total) await releaseQuiz(redis, quiz, sessionTtlSeconds);
      return result;
    }),
  ];
}
