// The handlers of quizzes for one. [contract 3]
import { randomUUID } from 'node:crypto';
import { type Route, route } from '../http/operation.ts';
import type { Services } from '../services.ts';
import { answerOf } from '../vocabulary/schema.ts';
import { isAttemptId } from './keys.ts';
import { operations } from './operations.ts';
import type { AnswerRequest, AnswerResult } from './schema.ts';
import { startSession } from './start-session.ts';
import { judgeAnswer, releaseQuiz } from './store.ts';

/** @param answerAttempt judges an answer in an attempt of an assignment, which this part doesn't know [contract 21] */
export function singleplayerRoutes(
  services: Services,
  answerAttempt: (services: Services, userId: string, request: AnswerRequest, key?: string) => Promise<AnswerResult>,
): Route[] {
  const { sessionTtlSeconds } = services.config;
  const startDeps = { ...services, sessionTtlSeconds };
  return [
    route(operations.startGame, ({ user, body }) => startSession(startDeps, user, body)),
    route(operations.answerQuestion, async ({ user, body, headers }) => {
      const key = headers['idempotency-key'];
      if (isAttemptId(body.sessionId)) return answerAttempt(services, user.id, body, key);
      const { sessionId, questionId, ...fields } = body;
      const answer = { sessionId, questionId, ...answerOf(fields) };
      const result = await judgeAnswer(services, user.id, answer, randomUUID(), key);
      const { answered, total } = result.score;
      if (answered === total) await releaseQuiz(services.redis, sessionId, user, sessionTtlSeconds);
      return result;
    }),
  ];
}
