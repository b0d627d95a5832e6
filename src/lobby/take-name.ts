// Gives a user who joins a lobby a name that nobody else has there. [contract 22]
import { AppError } from '../errors.ts';
import { nameKey, numberedName } from '../names/rules.ts';
import { retryOptimisticWrite } from '../platform/optimistic-write.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { keepNames, nameInLobby, nextNumber, ownName } from './name-store.ts';
import type { LobbySettings, Roster } from './schema.ts';

/** How many friendly names are tried before one gets a number. */
const FRIENDLY_ATTEMPTS = 8;

/**
 * How many numbers are tried. The step between them doubles, so that even a lobby in which a thousand players have
 * numbered their names themselves leaves one.
 */
const NUMBER_ATTEMPTS = 12;

export interface Newcomer {
  userId: string;
  /** Returns a friendly name, another one at each call. */
  friendlyName(): string;
}

/**
 * Reserves a name. A user who has one in the lobby keeps it, so that the call can be repeated.
 * @param names the lobby's setting, other than `any`
 * @throws AppError UNAUTHENTICATED for a user who is deleted, UNAVAILABLE if no attempt finds a free name
 */
export async function takeName(
  db: Database,
  lobbyId: string,
  { userId, friendlyName }: Newcomer,
  names: LobbySettings['names'],
): Promise<void> {
  const isTaken = async (name: string) => {
    const kept = await keepNames(db, lobbyId, [{ userId, name, key: nameKey(name) }]);
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

/** Keeps the names that the members have, before the lobby's names are others than any. */
export async function keepMembersNames(
  db: Database,
  { lobbyId, players }: Pick<Roster, 'lobbyId' | 'players'>,
): Promise<void> {
  const members = players.map(({ userId, name }) => ({ userId, name, key: nameKey(name) }));
  await keepNames(db, lobbyId, members);
}
