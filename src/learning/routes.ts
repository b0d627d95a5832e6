// The HTTP routes of a user's progress. [contract 13]
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { findCalendar, findProgress, type ProgressDeps } from './progress.ts';
import { Calendar, Progress, ProgressQuery } from './schema.ts';
import { registerWordRoutes } from './words/routes.ts';

const tags = ['Learning'];

/** Registers the routes in a scope that guards and limits them. */
export function registerLearningRoutes(scope: FastifyInstance, deps: ProgressDeps): void {
  registerWordRoutes(scope, deps);
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/api/v1/progress',
    {
      schema: {
        tags,
        summary: 'Read what you have learned',
        description:
          'What is due now and in the next days, how steadily you learn, and how far you are in each deck. Answers count within ten seconds.',
        querystring: ProgressQuery,
        response: { 200: Progress },
      },
    },
    async ({ user, query }) => findProgress(deps, user.id, query.timeZone),
  );

  app.get(
    '/api/v1/progress/calendar',
    {
      schema: {
        tags,
        summary: 'Read when you have learned',
        description: 'How many of your answers were judged on each of the last 84 days.',
        querystring: ProgressQuery,
        response: { 200: Calendar },
      },
    },
    async ({ user, query }) => findCalendar(deps, user.id, query.timeZone),
  );
}
