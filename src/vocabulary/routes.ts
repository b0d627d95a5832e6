// The HTTP route that lists the decks, for a client's choice of words. [contract 3]
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Pools } from './pools.ts';
import { DIFFICULTIES, LANGUAGES, PARTS_OF_SPEECH, Vocabulary } from './schema.ts';

/** Registers the route in a scope that guards and limits it. */
export function registerVocabularyRoutes(scope: FastifyInstance, { pools }: { pools: Pick<Pools, 'decks'> }): void {
  scope
    .withTypeProvider<ZodTypeProvider>()
    .get(
      '/api/v1/vocabulary',
      {
        schema: {
          tags: ['Vocabulary'],
          summary: 'List the decks',
          description: 'Lists the decks that have terms, with the numbers of their terms and questions.',
          response: { 200: Vocabulary },
        },
      },
      async () => ({
        languages: [...LANGUAGES],
        partsOfSpeech: [...PARTS_OF_SPEECH],
        difficulties: [...DIFFICULTIES],
        decks: await pools.decks(),
      }),
    );
}
