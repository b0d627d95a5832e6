// The HTTP routes of words. [contract 13]
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { problems } from '../../http/problems/problem-schema.ts';
import { listWords } from './list-words.ts';
import { WordParams, WordsQuery } from './query-schema.ts';
import type { ReadPromptsDeps } from './read-prompts.ts';
import { WordPage } from './schema.ts';
import { setSuspended } from './store.ts';

const tags = ['Learning'];

/** Registers the routes in a scope that guards and limits them. */
export function registerWordRoutes(scope: FastifyInstance, deps: ReadPromptsDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/api/v1/words',
    {
      schema: {
        tags,
        summary: 'See which words you know',
        description:
          'The words of a deck, or of your own list or a shared one, in the order of their prompts, with what the service knows of you and each of them.',
        querystring: WordsQuery,
        response: { 200: WordPage, ...problems('LIST_NOT_FOUND') },
      },
    },
    async ({ user, query }) => listWords(deps, user.id, query),
  );

  const suspension = { params: WordParams, response: { 204: z.null(), ...problems('WORD_NOT_FOUND') } };
  const suspend = async (userId: string, wordId: string, isSuspended: boolean) => {
    const isThere = await setSuspended(deps.db, userId, wordId, isSuspended);
    if (!isThere) throw new AppError('WORD_NOT_FOUND');
  };
  app.put(
    '/api/v1/words/:wordId/suspension',
    {
      schema: {
        tags,
        ...suspension,
        summary: 'Suspend a word',
        description:
          'It is not due any more, and quizzes in smart order pass it over. Only a word that you have answered can be suspended.',
      },
    },
    async ({ user, params }, reply) => {
      await suspend(user.id, params.wordId, true);
      return reply.status(204).send(null);
    },
  );

  app.delete(
    '/api/v1/words/:wordId/suspension',
    {
      schema: {
        tags,
        ...suspension,
        summary: 'Resume a suspended word',
        description: 'It is due again at the time at which it would have been.',
      },
    },
    async ({ user, params }, reply) => {
      await suspend(user.id, params.wordId, false);
      return reply.status(204).send(null);
    },
  );
}
