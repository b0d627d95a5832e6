// The operations of finished games. [contract 4, 13]
import { z } from 'zod';
import { describeOperations } from '../http/operation.ts';
import { pageLimit, timeCursor } from '../platform/page-cursor.ts';
import { Id } from '../validation.ts';
import { answersHeader, answersLines } from './result-formats.ts';
import { GameList, GameResult } from './schema.ts';

export const operations = describeOperations(
  { tag: 'Games', access: 'user', limit: 'game', load: 'new' },
  {
    listGames: {
      at: 'GET /api/v1/games',
      summary: 'See your finished games',
      description: 'The games that you played, left or presented, the newest first, without their rounds.',
      query: z.strictObject({ limit: pageLimit('games', { max: 100, byDefault: 20 }), before: timeCursor.field }),
      replies: { 200: GameList },
    },

    getGame: {
      at: 'GET /api/v1/games/:gameId',
      summary: 'Read the result of a finished game',
      description:
        'Only its players and the host who presented it can read it. With `Accept: text/csv` it is a table of all answers, one line for each player and round. A player of a compact game gets the own answers alone; its host gets all.',
      params: z.object({ gameId: Id.describe('The game’s id.') }),
      replies: { 200: GameResult },
      csv: z.string().meta({ examples: csvExamples() }),
      refusals: ['GAME_NOT_FOUND'],
    },
  },
);

function csvExamples(): string[] {
  const { examples = [] } = GameResult.meta() ?? {};
  return (examples as GameResult[]).map(({ rounds, scores }) => answersHeader() + answersLines(rounds, scores));
}
