// Lists the lobbies that a user is a member of, so that a game can be gone back to on every device, and the players of
// a lobby in pages, since messages of a compact lobby name only a few. [contract 19, 22]
import type { Database } from '../platform/postgres/postgres.ts';
import type { Services } from '../services.ts';
import { connectedUsers } from './presence.ts';
import { type JoinedLobbies, type PlayerCursor, type PlayerPage, playerCursor, type Roster } from './schema.ts';

/** The most lobbies of a reply; a user who is in more of them sees the newest. */
const LOBBIES_MAX = 20;

type JoinedRow = Omit<JoinedLobbies['lobbies'][number], 'createdAt'> & { createdAt: Date };

/** @returns the lobbies that are not closed, whatever their status, the newest first */
export async function listLobbies(db: Database, userId: string): Promise<JoinedLobbies> {
  const rows = await db.$queryRaw<JoinedRow[]>`
    SELECT id AS "lobbyId", code, status::text, settings, host_id = ${userId}::uuid AS "isHost",
           player_count AS "playerCount", game_id AS "gameId", created_at AS "createdAt"
      FROM lobby WHERE id IN (SELECT lobby_id FROM lobby_player WHERE user_id = ${userId}::uuid)
     ORDER BY created_at DESC, id DESC LIMIT ${LOBBIES_MAX}`;
  return { lobbies: rows.map((lobby) => ({ ...lobby, createdAt: lobby.createdAt.toISOString() })) };
}

export async function listPlayers(
  { db, redis }: Pick<Services, 'db' | 'redis'>,
  { lobbyId, players }: Roster,
  { limit, after: [lastNumber] = [0] }: { limit: number; after?: PlayerCursor | undefined },
): Promise<PlayerPage> {
  const rows = await db.lobbyPlayer.findMany({
    where: { lobbyId, seat: { gt: lastNumber } },
    orderBy: { seat: 'asc' },
    take: limit + 1,
    select: { userId: true, seat: true },
  });
  const known = new Map(players.map((player) => [player.userId, player]));
  const connected = await connectedUsers({ redis }, lobbyId);
  const { items, next } = playerCursor.toPage(rows, limit, ({ seat }) => [seat]);
  const listed = items.flatMap(({ userId }) => known.get(userId) ?? []);
  return { players: listed.map((player) => ({ ...player, connected: connected.has(player.userId) })), next };
}
