// What the end of an account reads and writes in PostgreSQL. Each step can be done any number of times.
import { DELETED_NAME } from '../auth/deleted-users.ts';
import type { Database } from '../platform/postgres.ts';

/** @returns the id of the user with this address, however its letters are cased, or null */
export async function findUserId(db: Database, email: string): Promise<string | null> {
  const user = await db.user.findUnique({
    where: { email: email.toLowerCase() },
    select: { id: true },
  });
  return user?.id ?? null;
}

/**
 * Notes that an account is to be deleted, and adds the lobbies it is in, or hosts, to those to leave.
 * @param keepsName whether stored results keep the name, as guests' do
 * @returns all that are to be left; null when there is no such account and nothing was noted before
 */
export async function noteDeletion(
  db: Database,
  userId: string,
  keepsName = false,
): Promise<string[] | null> {
  const rows = await db.$queryRaw<{ lobbyIds: string[] }[]>`
    INSERT INTO user_deletion AS noted (user_id, keeps_name, lobby_ids)
    SELECT id, ${keepsName}, ARRAY(SELECT lobby_id FROM lobby_player WHERE user_id = u.id
                     UNION SELECT id FROM lobby WHERE host_id = u.id)
      FROM "user" u WHERE id = ${userId}::uuid
    ON CONFLICT (user_id) DO UPDATE
       SET keeps_name = noted.keeps_name AND excluded.keeps_name,
           lobby_ids = ARRAY(SELECT unnest(noted.lobby_ids) UNION SELECT unnest(excluded.lobby_ids))
    RETURNING lobby_ids AS "lobbyIds"`;
  return rows[0]?.lobbyIds ?? null;
}

/** @returns the accounts whose deletion was begun and that are still there */
export async function listUnfinished(db: Database, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ userId: string }[]>`
    SELECT user_id AS "userId" FROM user_deletion
     WHERE EXISTS (SELECT 1 FROM "user" u WHERE u.id = user_id)
     ORDER BY requested_at LIMIT ${limit}`;
  return rows.map(({ userId }) => userId);
}

/** A guest's session is made a moment after the guest; whoever is younger is let alone. */
const NEW_GUEST = '1 hour';

/** @returns guests without a valid session who play in no lobby at this moment */
export async function listGoneGuests(db: Database, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM "user" u
     WHERE NOT email_verified AND is_anonymous AND created_at < now() - ${NEW_GUEST}::interval
       AND NOT EXISTS (SELECT 1 FROM session WHERE user_id = u.id AND expires_at > now())
       AND NOT EXISTS (SELECT 1 FROM lobby_player p JOIN lobby l ON l.id = p.lobby_id
                        WHERE p.user_id = u.id AND l.status = 'running')
     ORDER BY created_at LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** @returns deletions that are done and were asked for before `before` */
export async function listDone(db: Database, before: Date, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ userId: string }[]>`
    SELECT user_id AS "userId" FROM user_deletion
     WHERE requested_at < ${before} AND NOT EXISTS (SELECT 1 FROM "user" u WHERE u.id = user_id)
     LIMIT ${limit}`;
  return rows.map(({ userId }) => userId);
}

export async function forgetDeletion(db: Database, userId: string): Promise<void> {
  await db.userDeletion.deleteMany({ where: { userId } });
}

/** Stored results keep the id and the scores, and of guests who have gone the name. [contract 11, 17] */
export async function renameResults(db: Database, userId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE game_score SET name = ${DELETED_NAME}
     WHERE user_id = ${userId}::uuid AND name <> ${DELETED_NAME}
       AND NOT EXISTS (SELECT 1 FROM user_deletion WHERE user_id = ${userId}::uuid AND keeps_name)`;
}

/**
 * Deletes the user with all that hangs on it, unless it is in a lobby, or hosts one that others are in:
 * it may have joined one meanwhile. From the lock on it can't get any further session or lobby.
 * @param beforeTheEnd gets the tokens of the sessions that go
 * @returns whether the user is gone
 */
export async function removeUser(
  db: Database,
  userId: string,
  beforeTheEnd: (tokens: string[]) => Promise<void>,
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM "user" WHERE id = ${userId}::uuid FOR UPDATE`;
    const lobby = await tx.lobby.findFirst({
      where: {
        OR: [{ players: { some: { userId } } }, { hostId: userId, players: { some: {} } }],
      },
      select: { id: true },
    });
    if (lobby) return false;
    await beforeTheEnd(await tokensOf(tx, userId));
    await tx.user.deleteMany({ where: { id: userId } });
    return true;
  });
}

/** @returns the tokens of all sessions of a user */
export async function tokensOf(db: Pick<Database, 'session'>, userId: string): Promise<string[]> {
  const rows = await db.session.findMany({ where: { userId }, select: { token: true } });
  return rows.map(({ token }) => token);
}

export async function deleteSessions(db: Database, userId: string): Promise<void> {
  await db.session.deleteMany({ where: { userId } });
}
