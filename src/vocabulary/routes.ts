// What can be asked for, so that a client can build its pickers. [contract 3]
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Pools } from './pools.ts';
import { DIFFICULTIES, LANGUAGES, PARTS_OF_SPEECH, Vocabulary } from './schema.ts';

/** Registers the route in a scope that guards and limits it. */
export function registerVocabularyRoutes(
  scope: FastifyInstance,
  { pools }: { pools: Pick<Pools, 'decks'> },
): void {
  scope.withTypeProvider<ZodTypeProvider>().get(
    '/api/v1/vocabulary',
    {
      schema: {
        tags: ['Vocabulary'],
        summary: 'List what can be asked for',
        description: 'The decks that hold terms, with their numbers.',
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
