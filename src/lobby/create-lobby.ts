// `POST /api/v1/lobbies` creates a lobby with a new code and the host as its first player.
import { randomBytes, randomUUID } from 'node:crypto';
import { countedNetworks } from '../http/client-address.ts';
import { isUniqueViolation, type Postgres } from '../platform/postgres/postgres.ts';
import type { Services } from '../services.ts';
import { requireList } from '../vocabulary/lists/store.ts';
import { withListName } from '../vocabulary/words.ts';
import { lobbyKeys } from './keys.ts';
import { ownName } from './names.ts';
import { CODE_LENGTH, codeFrom, viewsOf } from './rules.ts';
import type { CreateLobbyRequest, Lobby } from './schema.ts';
import { insertLobby } from './store.ts';

/** @throws AppError LIST_NOT_FOUND; the database's error, also for the unique violation of the last attempt */
export async function createLobby(
  deps: Pick<Services, 'db' | 'roundDurationMs'> & { postgres: Postgres; newCode?: () => string },
  hostId: string,
  { capacity, settings }: CreateLobbyRequest,
  lobbyId: string = randomUUID(),
): Promise<Lobby> {
  const named = 'listId' in settings ? withListName(settings, await requireList(deps.db, settings, hostId)) : settings;
  const lobby = {
    lobbyId,
    hostId,
    capacity,
    settings: { ...named, roundMs: settings.roundMs ?? deps.roundDurationMs },
    hostName: settings.names === 'any' ? null : await ownName(deps.db, hostId),
  };
  const insert = (code: string) => insertLobby(deps.postgres, code, lobby);
  const { roster } = await withNewCode(CODE_LENGTH, insert, deps.newCode);
  return viewsOf(roster, [])(hostId);
}

/** Beyond it the creation fails with 500. */
const CODE_ATTEMPTS = 5;

/**
 * Gives a new lobby or assignment a random code that no other one has. [contract 4, 21]
 * @param insert stores what has the code; it is called again with another one after a unique violation
 * @throws what `insert` throws, also the unique violation of the last attempt
 */
export async function withNewCode<T>(
  length: number,
  insert: (code: string) => Promise<T>,
  newCode = () => codeFrom(randomBytes(length)),
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await insert(newCode());
    } catch (error) {
      if (attempt === CODE_ATTEMPTS || !isUniqueViolation(error)) throw error;
    }
  }
}

/** Stores whose the log of a lobby will be, before the lobby is created: a key without a lobby expires. */
export async function storeCreator(
  { redis, lobbyTtlMs }: Pick<Services, 'redis' | 'lobbyTtlMs'>,
  lobbyId: string,
  creator: { userId: string; address: string },
): Promise<void> {
  const [lobby] = lobbyKeys(lobbyId);
  const networks = JSON.stringify(countedNetworks(creator.address));
  await redis.multi().hset(lobby, { creatorId: creator.userId, networks }).pexpire(lobby, lobbyTtlMs).exec();
}
