// The commands of a lobby's host. [contract 11]
import { isDeepStrictEqual } from 'node:util';
import { AppError, invalid } from '../errors.ts';
import { retryOptimisticWrite } from '../platform/optimistic-write.ts';
import type { Postgres } from '../platform/postgres/postgres.ts';
import type { Services } from '../services.ts';
import { requireList } from '../vocabulary/lists/store.ts';
import { changedWords, ONLY_WITH_LIST, withListName } from '../vocabulary/words.ts';
import { announceLobby, type LobbyServices } from './event-log.ts';
import { keepNames } from './names.ts';
import { isMember } from './rules.ts';
import { type LobbyChange, LobbySettings } from './schema.ts';
import { findById, kickPlayer, markWaitingAgain, type StoredLobby, setLocked, setSettings } from './store.ts';

type HostServices = LobbyServices & Pick<Services, 'db'>;

/** How often a lobby is read and written at most for one command; beyond it the command is refused. */
const ATTEMPTS = 10;

/** @param tryOnce reads and writes; resolves to whether the write went through @throws AppError UNAVAILABLE */
export async function retryWhileChanging(tryOnce: () => Promise<boolean>): Promise<void> {
  const isWritten = await retryOptimisticWrite(ATTEMPTS, async () => (await tryOnce()) || undefined);
  if (!isWritten) throw new AppError('UNAVAILABLE', 'The lobby keeps changing. Try again.');
}

/** @returns the stored lobby @throws AppError NOT_IN_LOBBY, NOT_HOST */
export async function requireHost(postgres: Postgres, lobbyId: string, userId: string): Promise<StoredLobby> {
  const stored = await findById(postgres, lobbyId);
  if (!stored || !isMember(stored.roster, userId)) throw new AppError('NOT_IN_LOBBY');
  if (stored.roster.hostId !== userId) throw new AppError('NOT_HOST');
  return stored;
}

/**
 * Makes a change and announces the lobby, unless an announcement has included the change already. It throws AppError
 * NOT_IN_LOBBY, NOT_HOST, UNAVAILABLE; so do the commands below.
 * @param change writes to the lobby; resolves to whether the write went through, or there is nothing to write
 * @returns the lobby after the change; null when it was deleted meanwhile
 */
async function changeAsHost(
  deps: HostServices,
  lobbyId: string,
  userId: string,
  change: (lobby: StoredLobby) => Promise<boolean>,
): Promise<StoredLobby | null> {
  await retryWhileChanging(async () => change(await requireHost(deps.postgres, lobbyId, userId)));
  return announceLobby(deps, lobbyId);
}

/** @returns whether it changed @throws AppError LOBBY_NOT_WAITING, VALIDATION_FAILED, LIST_NOT_FOUND, LOBBY_FULL */
export async function configureLobby(deps: HostServices, lobbyId: string, userId: string, change: LobbyChange) {
  let isChanged = true;
  await changeAsHost(deps, lobbyId, userId, async ({ roster, version }) => {
    if (roster.status !== 'waiting') throw new AppError('LOBBY_NOT_WAITING');
    const merged = mergeSettings(roster.settings, change.settings);
    const { listId, reverse } = merged;
    const isOtherList = change.settings?.listId !== undefined || change.settings?.reverse !== undefined;
    const settings =
      listId && isOtherList ? withListName(merged, await requireList(deps.db, { listId, reverse }, userId)) : merged;
    const capacity = change.capacity ?? roster.capacity;
    if (capacity < roster.players.length) {
      throw new AppError('LOBBY_FULL', `The lobby has ${roster.players.length} players already.`);
    }
    isChanged = capacity !== roster.capacity || !isSame(settings, roster.settings);
    if (!isChanged) return true;
    // A join in between changes the version, so that the lobby then has all its members' names.
    if (settings.names !== 'any') await keepNames(deps.db, lobbyId, roster.players);
    return setSettings(deps.db, lobbyId, version, { settings, capacity });
  });
  return isChanged;
}

/** Compares what PostgreSQL would store, which has no undefined fields. */
function isSame(one: LobbySettings, other: LobbySettings): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}

function mergeSettings(present: LobbySettings, change: LobbyChange['settings'] = {}): LobbySettings {
  const settings = LobbySettings.parse(changedWords(present, change));
  if (settings.listId !== undefined) {
    if (settings.topic) throw invalid([{ path: 'settings.topic', message: 'must not be combined with a list' }]);
    return { ...settings, reverse: settings.reverse || undefined };
  }
  if (settings.sourceLanguage === settings.targetLanguage)
    throw invalid([{ path: 'settings.targetLanguage', message: 'must differ from sourceLanguage' }]);
  if (settings.reverse) throw invalid([{ path: 'settings.reverse', message: ONLY_WITH_LIST }]);
  return { ...settings, reverse: undefined };
}

/** @returns whether this call has changed the lock */
export async function lockLobby(deps: HostServices, lobbyId: string, userId: string, locked: boolean) {
  let isChanged = true;
  await changeAsHost(deps, lobbyId, userId, async ({ roster }) => {
    isChanged = roster.locked !== locked;
    return !isChanged || setLocked(deps.db, lobbyId, userId, locked);
  });
  return isChanged;
}

/** Removes a player, who can't join again. @throws AppError PLAYER_NOT_FOUND */
export function kickFromLobby(deps: HostServices, lobbyId: string, hostId: string, userId: string) {
  return changeAsHost(deps, lobbyId, hostId, async ({ roster }) => {
    if (!isMember(roster, userId)) throw new AppError('PLAYER_NOT_FOUND');
    return kickPlayer(deps.db, lobbyId, hostId, userId);
  });
}

/** @param settle announces the end of the last game if that was not done yet @throws AppError LOBBY_NOT_FINISHED */
export async function openAgain(deps: HostServices, lobbyId: string, userId: string, settle: () => Promise<unknown>) {
  await changeAsHost(deps, lobbyId, userId, async ({ roster }) => {
    if (roster.status !== 'finished') throw new AppError('LOBBY_NOT_FINISHED');
    // Clients must get the end of the game before the lobby waits again.
    await settle();
    return markWaitingAgain(deps.db, lobbyId, userId);
  });
}
