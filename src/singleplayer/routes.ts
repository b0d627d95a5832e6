// The HTTP routes of quizzes for one. [contract 3]
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { problems } from '../http/problems/problem-schema.ts';
import { type AnswerDeps, answerQuestion } from './answer-question.ts';
import { releaseQuiz } from './quiz-budget.ts';
import { AnswerRequest, AnswerResult, GameRequest, GameSession } from './schema.ts';
import { type StartSessionDeps, startSession } from './start-session.ts';

const tags = ['Single-player'];

/** Registers the routes in a scope that guards and limits them. */
export function registerSingleplayerRoutes(scope: FastifyInstance, deps: StartSessionDeps & AnswerDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.post(
    '/api/v1/game/start',
    {
      schema: {
        tags,
        summary: 'Start a quiz',
        description: 'Draws the questions. The service reveals the right option when you answer.',
        body: GameRequest,
        response: {
          201: GameSession,
          ...problems('LIST_NOT_FOUND', 'NO_MATCHING_TERMS', 'NOT_ENOUGH_TERMS', 'NOT_ENOUGH_DISTRACTORS'),
        },
      },
    },
    async (request, reply) => reply.status(201).send(await startSession(deps, request.user, request.body)),
  );

  app.post(
    '/api/v1/game/answer',
    {
      config: { isOngoing: true },
      schema: {
        tags,
        summary: 'Answer a question',
        description:
          'Each question can be answered once, in any order. The answer to the last question ends the session. An attempt of an assignment is a session too.',
        body: AnswerRequest,
        response: {
          200: AnswerResult,
          ...problems(
            'SESSION_NOT_FOUND',
            'SESSION_FORBIDDEN',
            'QUESTION_NOT_FOUND',
            'QUESTION_ALREADY_ANSWERED',
            'ASSIGNMENT_CLOSED',
          ),
        },
      },
    },
    async ({ user, body }) => {
      const result = await answerQuestion(deps, user.id, body);
      const { sessionId, score } = result;
      const quiz = { sessionId, userId: user.id, guestFrom: user.guestFrom };
      if (score.answered === score.total) await releaseQuiz(deps.redis, quiz, deps.sessionTtlSeconds);
      return result;
    },
  );
}
