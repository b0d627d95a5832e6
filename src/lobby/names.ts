// The names of a lobby whose setting `names` is not `any`, and how a user who joins gets one that nobody else has. The
// key of the table `lobby_name` makes them unique. A user who leaves keeps the name: results may have it. [contract 22]
import { AppError } from '../errors.ts';
import { nameKey, numberedName } from '../names/rules.ts';
import { retryOptimisticWrite } from '../platform/optimistic-write.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { LobbySettings } from './schema.ts';

/** Keeps names as they are, except those that the lobby has already, and of users who have one there. */
export async function keepNames(db: Database, lobbyId: string, users: readonly { userId: string; name: string }[]) {
  const ids = users.map(({ userId }) => userId);
  const names = users.map(({ name }) => name);
  const keys = names.map(nameKey);
  return db.$executeRaw`
    INSERT INTO lobby_name (lobby_id, user_id, name, name_key)
    SELECT ${lobbyId}::uuid, user_id, name, name_key
      FROM unnest(${ids}::uuid[], ${names}::text[], ${keys}::text[]) AS wanted (user_id, name, name_key)
    ON CONFLICT DO NOTHING`;
}

/**
 * Counts one more user with a name. @param step more than 1 skips numbers that names have by chance
 * @returns the user's number, from 2; null where the lobby no longer has the name
 */
export async function nextNumber(db: Database, lobbyId: string, key: string, step: number): Promise<number | null> {
  const [row] = await db.$queryRaw<{ number: number }[]>`
    UPDATE lobby_name SET last_number = last_number + ${step}
     WHERE lobby_id = ${lobbyId}::uuid AND name_key = ${key}
    RETURNING last_number AS number`;
  return row?.number ?? null;
}

/** @returns the name that the user has in this lobby alone */
export async function nameInLobby(db: Database, lobbyId: string, userId: string): Promise<string | null> {
  const row = await db.lobbyName.findUnique({ where: { userId_lobbyId: { userId, lobbyId } }, select: { name: true } });
  return row?.name ?? null;
}

/** @returns the names that players of the lobby have */
export async function takenNames(db: Database, lobbyId: string, names: readonly string[]): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT coalesce(p.name, u.name) AS name FROM lobby_player p JOIN "user" u ON u.id = p.user_id
     WHERE p.lobby_id = ${lobbyId}::uuid AND coalesce(p.name, u.name) = ANY(${names}::text[])`;
  return new Set(rows.map(({ name }) => name));
}

/** @returns the user's own name; null for a user who is deleted */
export async function ownName(db: Database, userId: string): Promise<string | null> {
  const row = await db.user.findUnique({ where: { id: userId }, select: { name: true } });
  return row?.name ?? null;
}

/** How many friendly names are tried before one gets a number. */
const FRIENDLY_ATTEMPTS = 8;

/** How many numbers are tried: their step doubles, so that a thousand players who have numbered names leave one. */
const NUMBER_ATTEMPTS = 12;

/**
 * Reserves a name. A user who has one in the lobby keeps it, so that the call can be repeated.
 * @param newcomer.friendlyName returns another friendly name at each call
 * @param names the lobby's setting, other than `any`
 * @throws AppError UNAUTHENTICATED for a user who is deleted, UNAVAILABLE if no attempt finds a free name
 */
export async function takeName(
  db: Database,
  lobbyId: string,
  { userId, friendlyName }: { userId: string; friendlyName(): string },
  names: LobbySettings['names'],
): Promise<void> {
  const isTaken = async (name: string) => {
    const kept = await keepNames(db, lobbyId, [{ userId, name }]);
    return kept === 0 && (await nameInLobby(db, lobbyId, userId)) === null;
  };
  let wanted = '';
  for (let attempt = 1; attempt <= (names === 'given' ? FRIENDLY_ATTEMPTS : 1); attempt++) {
    wanted = names === 'given' ? friendlyName() : ((await ownName(db, userId)) ?? '');
    if (wanted === '') throw new AppError('UNAUTHENTICATED');
    if (!(await isTaken(wanted))) return;
  }
  const numbered = await retryOptimisticWrite(NUMBER_ATTEMPTS, async (attempt) => {
    const number = await nextNumber(db, lobbyId, nameKey(wanted), 2 ** (attempt - 1));
    const name = number === null ? wanted : numberedName(wanted, number);
    return (await isTaken(name)) ? undefined : name;
  });
  if (numbered === undefined) throw new AppError('UNAVAILABLE');
}
