// Lists the players of a lobby in pages, since messages of a compact lobby name only a few. [contract 19]
import { z } from 'zod';
import { createPageCursor } from '../http/page-cursor.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { connectedUsers } from './presence.ts';
import type { PlayerPage, Roster } from './schema.ts';

/** The greatest value of PostgreSQL's type `integer`. */
const SEAT_MAX = 2 ** 31 - 1;

const cursor = createPageCursor(z.tuple([z.int().min(1).max(SEAT_MAX)]), '`next` of a page');

/** Parses the cursor of a request: the seat of the last player of the page before. */
export const After = cursor.schema;

/**
 * @param roster the lobby, of which the caller is a member
 * @param page.limit the number of players at most
 * @returns players in the order in which they joined
 */
export async function listPlayers(
  { db, redis }: { db: Database; redis: RedisClient },
  { lobbyId, players }: Roster,
  { limit, after: [lastSeat] = [0] }: { limit: number; after?: z.output<typeof After> | undefined },
): Promise<PlayerPage> {
  const rows = await db.lobbyPlayer.findMany({
    where: { lobbyId, seat: { gt: lastSeat } },
    orderBy: { seat: 'asc' },
    take: limit + 1,
    select: { userId: true, seat: true },
  });
  const known = new Map(players.map((player) => [player.userId, player]));
  const connected = await connectedUsers({ redis }, lobbyId);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    players: page.flatMap(({ userId }) => {
      const player = known.get(userId);
      return player ? { ...player, connected: connected.has(userId) } : [];
    }),
    next: rows.length > limit && last ? cursor.toText([last.seat]) : null,
  };
}
