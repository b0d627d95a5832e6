// The results of finished games. [contract 4]
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { problems } from '../http/problems/problem-schema.ts';
import type { Database } from '../platform/postgres.ts';
import { findResult } from './results.ts';
import { GameResult } from './schema.ts';

/** Registers the route in a scope that guards it. */
export function registerGameRoutes(scope: FastifyInstance, deps: { db: Database }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/api/v1/games/:gameId',
    {
      schema: {
        tags: ['Lobbies'],
        summary: 'Read the result of a finished game',
        description: 'For its players, and the host who presented it.',
        params: z.object({ gameId: z.string().meta({ format: 'uuid' }) }),
        response: { 200: GameResult, ...problems('GAME_NOT_FOUND') },
      },
    },
    async (request) => {
      // An id that can't be one names no game, as a code that can't be one names no lobby.
      const gameId = z.uuid().safeParse(request.params.gameId).data;
      const result = gameId ? await findResult(deps.db, gameId, request.user.id) : null;
      if (!result) {
        throw new AppError('GAME_NOT_FOUND', 'You have played no finished game with this id.');
      }
      return result;
    },
  );
}
