// The names that a lobby has, in PostgreSQL, where its setting `names` is not `any`. The key of the table makes them
// unique under any concurrency. A user who leaves keeps the name there, since results may have it. [contract 22]
import type { Database } from '../platform/postgres/postgres.ts';

export interface NamedUser {
  userId: string;
  name: string;
  /** What makes the name the same as another one. */
  key: string;
}

/** Keeps names as they are, except those that the lobby has already, and of users who have one there. */
export async function keepNames(db: Database, lobbyId: string, users: readonly NamedUser[]): Promise<number> {
  const [ids, names, keys] = [
    users.map(({ userId }) => userId),
    users.map(({ name }) => name),
    users.map(({ key }) => key),
  ];
  return db.$executeRaw`
    INSERT INTO lobby_name (lobby_id, user_id, name, name_key)
    SELECT ${lobbyId}::uuid, user_id, name, name_key
      FROM unnest(${ids}::uuid[], ${names}::text[], ${keys}::text[]) AS wanted (user_id, name, name_key)
    ON CONFLICT DO NOTHING`;
}

/**
 * Counts one more user with a name that the lobby has.
 * @param step by how much the number grows: more than 1 skips numbers that names have by chance
 * @returns the user's number, from 2; null where the lobby no longer has the name
 */
export async function nextNumber(db: Database, lobbyId: string, key: string, step: number): Promise<number | null> {
  const [row] = await db.$queryRaw<{ number: number }[]>`
    UPDATE lobby_name SET last_number = last_number + ${step}
     WHERE lobby_id = ${lobbyId}::uuid AND name_key = ${key}
    RETURNING last_number AS number`;
  return row?.number ?? null;
}

/** @returns the name that the user has in this lobby alone; null where there is none */
export async function nameInLobby(db: Database, lobbyId: string, userId: string): Promise<string | null> {
  const row = await db.lobbyName.findUnique({ where: { userId_lobbyId: { userId, lobbyId } }, select: { name: true } });
  return row?.name ?? null;
}

/** @returns the user's own name; null for a user who is deleted */
export async function ownName(db: Database, userId: string): Promise<string | null> {
  const row = await db.user.findUnique({ where: { id: userId }, select: { name: true } });
  return row?.name ?? null;
}
