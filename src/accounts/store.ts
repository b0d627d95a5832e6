// The SQL of ending sessions and of deleting an account. Each step is idempotent.
import { endSessions, forgetDevices } from '../auth/device-trust.ts';
import { DELETED_NAME } from '../auth/input/user-profile.ts';
import { createSecondaryStorage } from '../auth/sessions/secondary-storage.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { Services } from '../services.ts';

/** @param email in any case */
export const findUser = (db: Database, email: string) =>
  db.user.findUnique({ where: { email: email.toLowerCase() }, select: { id: true, email: true } });

/** The time that a worker has for a claimed deletion, before another one may claim it. */
const RETRY_AFTER = '1 minute';
/** Younger guests are not removed, since a guest's session is created a moment after the guest. */
const NEW_GUEST = '1 hour';
/** Selects the lobbies that the user `u` is a member or the host of. */
const LOBBIES_OF_USER = Prisma.sql`ARRAY(SELECT lobby_id FROM lobby_player WHERE user_id = u.id
                                         UNION SELECT id FROM lobby WHERE host_id = u.id)`;

/** Records a deletion. @returns the lobbies to leave, or null if there is neither such an account nor a record */
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

/** Claims unfinished deletions, those of users before those of guests. One that fails does not hold up the others. */
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

/** Nobody can sign in again as a guest without a session, so that the conditions stay true until the deletion is done. */
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

type SessionServices = Pick<Services, 'db' | 'redis' | 'sessionCache'>;
const storageOf = ({ db, redis, sessionCache }: SessionServices) => createSecondaryStorage(redis, db, sessionCache);

/**
 * Deletes the user's row with everything that references it, unless the user has joined or hosts a lobby meanwhile. The
 * row lock keeps the user from getting further sessions or lobbies. @returns whether the user no longer exists
 */
export async function removeUser(deps: SessionServices, userId: string): Promise<boolean> {
  return deps.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM "user" WHERE id = ${userId}::uuid FOR UPDATE`;
    const lobby = await tx.lobby.findFirst({
      where: { OR: [{ players: { some: { userId } } }, { hostId: userId, players: { some: {} } }] },
      select: { id: true },
    });
    if (lobby) return false;
    // The copies end before the commit, so that no session outlives its user.
    await endSessions({ db: tx, secondaryStorage: storageOf(deps) }, { userId });
    await tx.user.deleteMany({ where: { id: userId } });
    return true;
  });
}

/**
 * Ends all sessions of a user, or one, on every replica at once; open sockets close within a minute. No device stays
 * trusted, so that the next sign-in on each asks for a code. @returns the number of ended sessions
 */
export async function signOutEverywhere(deps: SessionServices, userId: string, sessionId?: string): Promise<number> {
  const { db } = deps;
  const where = { userId, ...(sessionId && { id: sessionId }) };
  if (sessionId && (await db.session.count({ where })) === 0) return 0;
  const stores = { db, secondaryStorage: storageOf(deps) };
  await forgetDevices(stores, userId);
  const ended = await endSessions(stores, where);
  // A concurrent sign-in may have trusted its device in the meantime.
  await forgetDevices(stores, userId);
  return ended;
}
