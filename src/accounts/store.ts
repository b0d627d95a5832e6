// The SQL of ending sessions and of deleting an account. Each step is idempotent.
import { forgetDevices } from '../auth/device-trust.ts';
import { DELETED_NAME } from '../auth/input/user-profile.ts';
import { createSecondaryStorage, type SessionCache } from '../auth/sessions/secondary-storage.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { Services } from '../services.ts';

/** @param email in any case */
export function findUser(db: Database, email: string): Promise<{ id: string; email: string } | null> {
  return db.user.findUnique({ where: { email: email.toLowerCase() }, select: { id: true, email: true } });
}

/** Selects the lobbies that the user `u` is a member or the host of. */
const LOBBIES_OF_USER = Prisma.sql`ARRAY(SELECT lobby_id FROM lobby_player WHERE user_id = u.id
                                         UNION SELECT id FROM lobby WHERE host_id = u.id)`;

/**
 * Records that an account is to be deleted, and which lobbies it has to leave.
 * @param keepsName whether stored results keep the name, as they do for guests
 * @returns the lobbies to leave, or null if there is neither such an account nor a recorded deletion
 */
export async function noteDeletion(db: Database, userId: string, keepsName = false): Promise<string[] | null> {
  const rows = await db.$queryRaw<{ lobbyIds: string[] }[]>`
    INSERT INTO user_deletion AS noted (user_id, keeps_name, lobby_ids)
    SELECT id, ${keepsName}, ${LOBBIES_OF_USER}
      FROM "user" u WHERE id = ${userId}::uuid
    ON CONFLICT (user_id) DO UPDATE
       SET keeps_name = noted.keeps_name AND excluded.keeps_name,
           lobby_ids = ARRAY(SELECT unnest(noted.lobby_ids) UNION SELECT unnest(excluded.lobby_ids))
    RETURNING lobby_ids AS "lobbyIds"`;
  return rows[0]?.lobbyIds ?? null;
}

/** The time that a worker has to finish a claimed deletion. After it another worker may claim it. */
const RETRY_AFTER = '1 minute';

/**
 * Claims unfinished deletions. One that fails does not hold up the others. Those that users asked for come before those
 * of guests.
 * @returns the accounts to delete
 */
export async function claimUnfinished(db: Database, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ userId: string }[]>`
    UPDATE user_deletion SET attempted_at = now() WHERE user_id IN (
      SELECT user_id FROM user_deletion
       WHERE (attempted_at IS NULL OR attempted_at < now() - ${RETRY_AFTER}::interval)
         AND EXISTS (SELECT 1 FROM "user" u WHERE u.id = user_id)
       ORDER BY keeps_name, attempted_at NULLS FIRST, requested_at
       LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING user_id AS "userId"`;
  return rows.map(({ userId }) => userId);
}

/** Younger guests are not removed, since a guest's session is created a moment after the guest. */
const NEW_GUEST = '1 hour';

/**
 * Records the deletion of guests without a valid session who are in no running game. Nobody can sign in as such a guest
 * again, so that this stays true until the deletion is finished.
 * @returns the number of recorded deletions
 */
export async function noteGoneGuests(db: Database, limit: number): Promise<number> {
  return db.$executeRaw`
    INSERT INTO user_deletion (user_id, keeps_name, lobby_ids)
    SELECT id, true, ${LOBBIES_OF_USER}
      FROM "user" u
     WHERE NOT email_verified AND is_anonymous AND created_at < now() - ${NEW_GUEST}::interval
       AND NOT EXISTS (SELECT 1 FROM user_deletion WHERE user_id = u.id)
       AND NOT EXISTS (SELECT 1 FROM session WHERE user_id = u.id AND expires_at > now())
       AND NOT EXISTS (SELECT 1 FROM lobby_player p JOIN lobby l ON l.id = p.lobby_id
                        WHERE p.user_id = u.id AND l.status = 'running')
     LIMIT ${limit}
    ON CONFLICT DO NOTHING`;
}

export async function listDone(db: Database, before: Date, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ userId: string }[]>`
    SELECT user_id AS "userId" FROM user_deletion
     WHERE requested_at < ${before} AND NOT EXISTS (SELECT 1 FROM "user" u WHERE u.id = user_id)
     LIMIT ${limit}`;
  return rows.map(({ userId }) => userId);
}

/** Renames a deleted user in stored results, which keep the id and the scores. [contract 11, 17, 21] */
export async function renameResults(db: Database, userId: string): Promise<void> {
  const isToRename = Prisma.sql`
    user_id = ${userId}::uuid AND name <> ${DELETED_NAME}
       AND NOT EXISTS (SELECT 1 FROM user_deletion WHERE user_id = ${userId}::uuid AND keeps_name)`;
  await db.$executeRaw`UPDATE game_score SET name = ${DELETED_NAME} WHERE ${isToRename}`;
  await db.$executeRaw`UPDATE assignment_person SET name = ${DELETED_NAME} WHERE ${isToRename}`;
}

/**
 * Deletes the user's row with everything that references it, unless the user is in a lobby or hosts one with
 * other members, which may have happened in the meantime. The row lock keeps the user from getting further
 * sessions or lobbies.
 * @returns whether the user no longer exists
 */
export async function removeUser(db: Database, sessionCache: SessionCache, userId: string): Promise<boolean> {
  return db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM "user" WHERE id = ${userId}::uuid FOR UPDATE`;
    const lobby = await tx.lobby.findFirst({
      where: { OR: [{ players: { some: { userId } } }, { hostId: userId, players: { some: {} } }] },
      select: { id: true },
    });
    if (lobby) return false;
    // The copies end before the commit, so that no session outlives its user.
    await Promise.all((await tokensOf(tx, userId)).map(sessionCache.remove));
    await tx.user.deleteMany({ where: { id: userId } });
    return true;
  });
}

/** @param sessionId by default all sessions of the user */
async function tokensOf(db: Pick<Database, 'session'>, userId: string, sessionId?: string): Promise<string[]> {
  const where = { userId, ...(sessionId && { id: sessionId }) };
  const rows = await db.session.findMany({ where, select: { token: true } });
  return rows.map(({ token }) => token);
}

/**
 * Ends all sessions of a user, or one, on every replica at once; open sockets close within a minute. No device stays
 * trusted, so that the next sign-in on each asks for a code of the second factor.
 * @param sessionId the session to end, if it is one of the user's; by default all of them
 * @returns the number of ended sessions
 */
export async function signOutEverywhere(
  { db, redis, sessionCache }: Pick<Services, 'db' | 'redis' | 'sessionCache'>,
  userId: string,
  sessionId?: string,
): Promise<number> {
  if (sessionId && (await tokensOf(db, userId, sessionId)).length === 0) return 0;
  const trust = { db, secondaryStorage: createSecondaryStorage(redis, db, sessionCache) };
  await forgetDevices(trust, userId);
  const tokens = await tokensOf(db, userId, sessionId);
  await Promise.all(tokens.map((token) => sessionCache.remove(token)));
  await db.session.deleteMany({ where: { userId, ...(sessionId && { id: sessionId }) } });
  // A concurrent sign-in may have trusted its device in the meantime.
  await forgetDevices(trust, userId);
  return tokens.length;
}
