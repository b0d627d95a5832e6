// The operations of a user's progress and words. [contract 13]
import { z } from 'zod';
import { describeOperations } from '../http/operation.ts';
import { Calendar, Progress, ProgressQuery, WordPage, WordParams, WordsQuery } from './schema.ts';

export const operations = describeOperations(
  { tag: 'Learning', access: 'user', limit: 'game', load: 'new' },
  {
    getProgress: {
      at: 'GET /api/v1/progress',
      summary: 'Read what you have learned',
      description:
        'What is due now and in the next days, how steadily you learn, and how far you are in each deck. Answers count within ten seconds.',
      query: ProgressQuery,
      replies: { 200: Progress },
    },

    getCalendar: {
      at: 'GET /api/v1/progress/calendar',
      summary: 'Read when you have learned',
      description: 'How many of your answers were judged on each of the last 84 days.',
      query: ProgressQuery,
      replies: { 200: Calendar },
    },

    getWords: {
      at: 'GET /api/v1/words',
      summary: 'See which words you know',
      description:
        'The words of a deck, or of your own list or a shared one, in the order of their prompts, with what the service knows of you and each of them.',
      query: WordsQuery,
      replies: { 200: WordPage },
      refusals: ['LIST_NOT_FOUND'],
    },

    suspendWord: {
      at: 'PUT /api/v1/words/:wordId/suspension',
      summary: 'Suspend a word',
      description:
        'It is not due any more, and quizzes in smart order pass it over. Only a word that you have answered can be suspended.',
      params: WordParams,
      replies: { 204: z.null() },
      refusals: ['WORD_NOT_FOUND'],
    },

    resumeWord: {
      at: 'DELETE /api/v1/words/:wordId/suspension',
      summary: 'Resume a suspended word',
      description: 'It is due again at the time at which it would have been.',
      params: WordParams,
      replies: { 204: z.null() },
      refusals: ['WORD_NOT_FOUND'],
    },
  },
);
