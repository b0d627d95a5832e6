// The handlers of finished games. [contract 4, 13]
import { AppError } from '../errors.ts';
import { type Route, route } from '../http/operation.ts';
import { streamed } from '../http/replies.ts';
import { CSV_TYPE, isCsvPreferred } from '../platform/csv.ts';
import type { Services } from '../services.ts';
import { findGame, listGames } from './finished-games.ts';
import { operations } from './operations.ts';
import { csvOf, jsonOf } from './result-formats.ts';

export function gameRoutes({ db }: Pick<Services, 'db'>): Route[] {
  return [
    route(operations.listGames, ({ user, query }) => listGames(db, user.id, query)),
    route(operations.getGame, async (request, reply) => {
      const game = await findGame(db, request.params.gameId, request.user.id);
      if (!game) throw new AppError('GAME_NOT_FOUND');
      if (!isCsvPreferred(request.headers))
        return reply.type('application/json; charset=utf-8').send(await streamed(request, jsonOf(game)));
      return reply
        .type(CSV_TYPE)
        .header('content-disposition', `attachment; filename="game-${game.summary.code}.csv"`)
        .send(await streamed(request, csvOf(game)));
    }),
  ];
}
