// What a user has learned, over HTTP. [contract 13]
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { findProgress, type ProgressDeps } from './progress.ts';
import { Progress, ProgressQuery } from './schema.ts';

/** Registers the route in a scope that guards and limits it. */
export function registerLearningRoutes(scope: FastifyInstance, deps: ProgressDeps): void {
  scope.withTypeProvider<ZodTypeProvider>().get(
    '/api/v1/progress',
    {
      schema: {
        tags: ['Learning'],
        summary: 'Read what you have learned',
        description:
          'What is due now, how steadily you learn, and how far you are in each deck. Answers count within ten seconds.',
        querystring: ProgressQuery,
        response: { 200: Progress },
      },
    },
    async (request) => findProgress(deps, request.user.id, request.query.timeZone),
  );
}
