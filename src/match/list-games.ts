// The finished games of a user, the newest first, page by page. [contract 13]
import { z } from 'zod';
import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../platform/postgres.ts';
import { SUMMARY, summaryOf } from './game-summary.ts';
import type { GameList } from './schema.ts';

/** The last game of a page: what clients get as an opaque text. */
const Cursor = z.tuple([z.iso.datetime({ precision: 3 }), z.uuid()]);
type Cursor = z.output<typeof Cursor>;

/** @returns the text that names the place after this game */
function toText(cursor: Cursor): string {
  return Buffer.from(cursor.join(' ')).toString('base64url');
}

/** A place as a request names it. */
export const Before = z
  .string()
  .max(200)
  .transform((text, ctx): Cursor => {
    const cursor = Cursor.safeParse(Buffer.from(text, 'base64url').toString().split(' '));
    if (cursor.success && toText(cursor.data) === text) return cursor.data;
    ctx.issues.push({ code: 'custom', message: 'must be the `next` of a page', input: text });
    return z.NEVER;
  });

/**
 * @param page.limit games at most
 * @param page.before where to go on
 * @returns those that the user played, left or presented
 */
export async function listGames(
  db: Database,
  userId: string,
  { limit, before }: { limit: number; before?: Cursor | undefined },
): Promise<GameList> {
  const [finishedAt, id] = before ?? [];
  const older = finishedAt
    ? Prisma.sql`WHERE (finished_at, id) < (${finishedAt}::timestamptz, ${id}::uuid)`
    : Prisma.empty;
  // Both halves follow an index: most games are other people's.
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM game
      JOIN (SELECT game_id AS id FROM game_score WHERE user_id = ${userId}::uuid
            UNION SELECT id FROM game WHERE presenter_id = ${userId}::uuid) AS mine USING (id)
     ${older}
     ORDER BY finished_at DESC, id DESC LIMIT ${limit + 1}`;
  const ids = rows.slice(0, limit).map((row) => row.id);
  const found = await db.game.findMany({ where: { id: { in: ids } }, select: SUMMARY });
  const byId = new Map(found.map((game) => [game.id, game]));
  const games = ids.flatMap((gameId) => byId.get(gameId) ?? []).map(summaryOf);
  const last = games.at(-1);
  const isMore = rows.length > limit && last !== undefined;
  return { games, next: isMore ? toText([last.finishedAt, last.gameId]) : null };
}
