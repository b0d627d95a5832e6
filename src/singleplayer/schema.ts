// The schemas of requests and responses of a quiz for one. [contract 3]
import { z } from 'zod';
import { BUDGETS } from '../budgets.ts';
import { Id } from '../validation.ts';
import * as vocabulary from '../vocabulary/schema.ts';
import * as words from '../vocabulary/words.ts';

export const MAX_QUESTIONS = BUDGETS.quizQuestions.max;

/** The body of POST /api/v1/game/start; every field is optional. */
export const GameRequest = z
  .strictObject({
    ...words.wordsFields,
    questionCount: z.int().min(1).max(MAX_QUESTIONS).default(10).describe('The number of questions.'),
    answerMode: vocabulary.AnswerMode.default('choice').describe('Whether answers are chosen from options or typed.'),
    order: z
      .enum(['random', 'smart'])
      .default('random')
      .describe(
        '`smart`: first the words that are due, the most overdue first, then those that you have never answered, then the rest by the time at which they become due.',
      ),
  })
  .check(words.deckOrList)
  .transform(words.chosenWords)
  .meta({
    id: 'GameRequest',
    ...words.DECK_OR_LIST,
    description: 'Every field is optional. The two languages must differ.',
    examples: [{ pos: 'noun', sourceLanguage: 'en', targetLanguage: 'it', difficulty: 'A1', questionCount: 10 }],
  });
export type GameRequest = z.output<typeof GameRequest>;

export const GameSession = z
  .object({
    sessionId: z.uuid().describe('The id of the quiz.'),
    expiresAt: z.iso.datetime().describe('The time at which the session ends.'),
    ...words.languagesOfReverse,
    questions: z.array(vocabulary.Question).describe('The questions in the order in which to show them.'),
  })
  .meta({ id: 'GameSession', description: 'A quiz that has started.' });
export type GameSession = z.output<typeof GameSession>;

const { questionId } = vocabulary.QUESTION_EXAMPLE;
const EXAMPLE = { sessionId: '6f1c0f0e-3d3b-4a39-8a3c-5a1f0f6f2c11', questionId };

export const AnswerRequest = z
  .strictObject({
    sessionId: Id.describe('The id of the quiz.'),
    questionId: Id.describe('The id of the question.'),
    ...vocabulary.answerFields,
  })
  .check(vocabulary.oneAnswer)
  .meta({
    id: 'AnswerRequest',
    ...vocabulary.ONE_ANSWER,
    description: 'The answer to a question: `text` if the question is typed, otherwise `optionId`.',
    examples: [{ ...EXAMPLE, optionId: 2 }],
  });
export type AnswerRequest = z.output<typeof AnswerRequest>;

/** For how long the reply to a request with a key is kept, ms. [contract 23] */
export const KEY_KEPT_MS = 60_000;

export const AnswerHeaders = z.object({
  'idempotency-key': z
    .string()
    .max(64)
    .regex(/^[A-Za-z0-9_-]+$/)
    .optional()
    .describe('Makes the request safe to repeat: within 60 seconds the same key and body get the same reply.'),
});

export const AnswerResult = z
  .object({
    sessionId: z.guid().describe('The id of the quiz.'),
    questionId: z.guid().describe('The id of the question.'),
    selectedOptionId: z.int().min(0).max(3).optional().describe('The chosen option; absent for a typed answer.'),
    correctOptionId: z.int().min(0).max(3).optional().describe('The correct option; absent where answers are typed.'),
    submittedText: z.string().optional().describe('The typed answer after NFC and trimming; absent for a chosen one.'),
    verdict: vocabulary.VerdictSchema.optional().describe('The verdict on a typed answer; absent for a chosen one.'),
    ...vocabulary.typedSolution,
    nonce: z.string().describe('Opens the question’s `commitment`.'),
    isCorrect: z.boolean().describe('Whether the answer is correct.'),
    score: z
      .object({
        correct: z.int().describe('The number of correct answers.'),
        answered: z.int().describe('The number of answered questions.'),
        total: z.int().describe('The number of all questions.'),
      })
      .describe('The counts of this session after the answer.'),
  })
  .meta({
    id: 'AnswerResult',
    description: 'The judgement of an answer. That of a typed one has texts and a verdict instead of options.',
    examples: [
      {
        ...EXAMPLE,
        selectedOptionId: 2,
        correctOptionId: 0,
        nonce: vocabulary.QUESTION_EXAMPLE_NONCE,
        isCorrect: false,
        score: { correct: 3, answered: 4, total: 10 },
      },
    ],
  });
export type AnswerResult = z.output<typeof AnswerResult>;
