// The results of finished games. [contract 4, 13]
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { CSV_TYPE, isCsvPreferred } from '../http/csv.ts';
import { problems } from '../http/problems/problem-schema.ts';
import { streamed } from '../http/replies.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { Id } from '../validation.ts';
import { Before, findGame, listGames } from './finished-games.ts';
import { answersHeader, answersLines, csvOf, jsonOf } from './result-formats.ts';
import { GameList, GameResult } from './schema.ts';

const tags = ['Games'];

const GamesQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20).meta({ description: 'The most games of the page.' }),
  before: Before.optional().meta({ description: 'The `next` of the previous page.' }),
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
        description: 'The games that you played, left or presented, the newest first, without their rounds.',
        querystring: GamesQuery,
        response: { 200: GameList },
      },
    },
    async ({ user, query }) => listGames(deps.db, user.id, query),
  );

  // The type provider knows replies of the schema's type alone, but this one is a stream.
  scope.get<{ Params: { gameId: string } }>(
    '/api/v1/games/:gameId',
    {
      schema: {
        tags,
        summary: 'Read the result of a finished game',
        description:
          'Only its players and the host who presented it can read it. With `Accept: text/csv` it is a table of all answers, one line for each player and round. A player of a compact game gets the own answers alone; its host gets all.',
        params: z.object({ gameId: Id }),
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
      const game = await findGame(deps.db, request.params.gameId, request.user.id);
      if (!game) throw new AppError('GAME_NOT_FOUND');
      if (!isCsvPreferred(request))
        return reply.type('application/json; charset=utf-8').send(await streamed(request, jsonOf(game)));
      return reply
        .type(CSV_TYPE)
        .header('content-disposition', `attachment; filename="game-${game.summary.code}.csv"`)
        .send(await streamed(request, csvOf(game)));
    },
  );
}

/** @returns the published examples of GameResult as CSV */
function csvExamples(): string[] {
  const { examples = [] } = GameResult.meta() ?? {};
  return (examples as GameResult[]).map(({ rounds, scores }) => answersHeader() + answersLines(rounds, scores));
}
