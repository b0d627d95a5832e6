// Lists the finished games of a user in pages, the newest first. [contract 13]
import type { z } from 'zod';
import { Prisma } from '../generated/prisma/client.ts';
import { timeCursor } from '../http/page-cursor.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { shownSummary, summaryFor } from './game-summary.ts';
import type { GameList } from './schema.ts';

/** Parses the cursor of a request: the time and id of the last game of the page before. */
export const Before = timeCursor.schema;

/** A page of a user's games. */
export interface GamesPage {
  /** The number of games at most. */
  limit: number;
  /** The last game of the page before. */
  before?: z.output<typeof Before> | undefined;
}

/** @returns the games that the user played, left or presented, or of which the user was host at the end */
export async function findGameIds(
  db: Database,
  userId: string,
  { limit, before }: GamesPage,
): Promise<{ id: string; finishedAt: Date }[]> {
  const [finishedAt, id] = before ?? [];
  const older = finishedAt
    ? Prisma.sql`WHERE (finished_at, id) < (${finishedAt}::timestamptz, ${id}::uuid)`
    : Prisma.empty;
  // Each part of the union reads an index of the user's games, which are a small part of the table.
  return db.$queryRaw`
    SELECT id, finished_at AS "finishedAt" FROM game
      JOIN (SELECT game_id AS id FROM game_score WHERE user_id = ${userId}::uuid
            UNION SELECT id FROM game WHERE presenter_id = ${userId}::uuid
            UNION SELECT id FROM game WHERE host_id = ${userId}::uuid) AS mine USING (id)
     ${older}
     ORDER BY finished_at DESC, id DESC LIMIT ${limit}`;
}

/** @returns the summaries of a page of the user's games, the newest first */
export async function listGames(db: Database, userId: string, { limit, before }: GamesPage): Promise<GameList> {
  const rows = await findGameIds(db, userId, { limit: limit + 1, before });
  const ids = rows.slice(0, limit).map((row) => row.id);
  const found = await db.game.findMany({ where: { id: { in: ids } }, select: summaryFor(userId) });
  const byId = new Map(found.map((game) => [game.id, game]));
  const games = ids.flatMap((gameId) => byId.get(gameId) ?? []);
  const last = games.at(-1);
  const isMore = rows.length > limit && last !== undefined;
  return {
    games: games.map((game) => shownSummary(game, userId)),
    next: isMore ? timeCursor.toText([last.finishedAt.toISOString(), last.id]) : null,
  };
}
