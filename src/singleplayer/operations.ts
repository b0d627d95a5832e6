// The operations of quizzes for one. [contract 3]
import { describeOperations } from '../http/operation.ts';
import { AnswerHeaders, AnswerRequest, AnswerResult, GameRequest, GameSession } from './schema.ts';

/** The refusals of drawing questions. */
export const NOT_DRAWN = ['LIST_NOT_FOUND', 'NO_MATCHING_TERMS', 'NOT_ENOUGH_TERMS', 'NOT_ENOUGH_DISTRACTORS'] as const;

export const operations = describeOperations(
  { tag: 'Single-player', access: 'user', limit: 'game' },
  {
    startGame: {
      at: 'POST /api/v1/game/start',
      summary: 'Start a quiz',
      description: 'Draws the questions. The service reveals the right option when you answer.',
      load: 'new',
      body: GameRequest,
      replies: { 201: GameSession },
      refusals: NOT_DRAWN,
    },

    answerQuestion: {
      at: 'POST /api/v1/game/answer',
      summary: 'Answer a question',
      description:
        'Each question can be answered once, in any order. The answer to the last question ends the session. An attempt of an assignment is a session too.',
      load: 'ongoing',
      headers: AnswerHeaders,
      body: AnswerRequest,
      replies: { 200: AnswerResult },
      refusals: [
        'IDEMPOTENCY_KEY_REUSED',
        'SESSION_NOT_FOUND',
        'SESSION_FORBIDDEN',
        'QUESTION_NOT_FOUND',
        'QUESTION_ALREADY_ANSWERED',
        'ASSIGNMENT_CLOSED',
      ],
    },
  },
);
