// The results of finished games. [contract 4, 13]
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import Negotiator from 'negotiator';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { problems } from '../http/problems/problem-schema.ts';
import type { Database } from '../platform/postgres.ts';
import { Before, listGames } from './list-games.ts';
import { findResult } from './results.ts';
import { toCsv } from './results-csv.ts';
import { GameList, GameResult } from './schema.ts';

const tags = ['Games'];

const CSV = /^text\/(csv|\*)$/i;
const JSON_OR_ANY = /^(application\/(json|\*)|\*\/\*)$/i;

/** @returns whether of the two a game is rather told as CSV, whatever parameters that is asked for with */
function isCsvPreferred(request: FastifyRequest): boolean {
  const types = new Negotiator(request.raw).mediaTypes();
  return CSV.test(types.find((type) => CSV.test(type) || JSON_OR_ANY.test(type)) ?? '');
}

const GamesQuery = z.strictObject({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(20)
    .meta({ description: 'How many at most.' }),
  before: Before.optional().meta({ description: 'The `next` of the page before.' }),
});

/** Registers the routes in a scope that guards and limits them. */
export function registerGameRoutes(scope: FastifyInstance, deps: { db: Database }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/api/v1/games',
    {
      schema: {
        tags,
        summary: 'See your finished games',
        description:
          'Those that you played, left or presented, the newest first, without their rounds.',
        querystring: GamesQuery,
        response: { 200: GameList },
      },
    },
    async ({ user, query }) => listGames(deps.db, user.id, query),
  );

  app.get(
    '/api/v1/games/:gameId',
    {
      schema: {
        tags,
        summary: 'Read the result of a finished game',
        description:
          'For its players, and the host who presented it. As `text/csv`, where that is preferred, a table of all answers, one line a player and round.',
        params: z.object({ gameId: z.string().meta({ format: 'uuid' }) }),
        response: {
          200: {
            description: 'OK',
            content: {
              'application/json': { schema: GameResult },
              'text/csv': { schema: z.string().meta({ examples: csvExamples() }) },
            },
          },
          ...problems('GAME_NOT_FOUND'),
        },
      },
    },
    async (request, reply) => {
      // An id that can't be one names no game, as a code that can't be one names no lobby.
      const gameId = z.uuid().safeParse(request.params.gameId).data;
      const result = gameId ? await findResult(deps.db, gameId, request.user.id) : null;
      if (!result) {
        throw new AppError('GAME_NOT_FOUND');
      }
      if (!isCsvPreferred(request)) return result;
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="game-${result.code}.csv"`)
        .send(toCsv(result));
    },
  );
}

/** The examples of the JSON, as tables. */
function csvExamples(): string[] {
  const { examples = [] } = GameResult.meta() ?? {};
  return (examples as GameResult[]).map(toCsv);
}
