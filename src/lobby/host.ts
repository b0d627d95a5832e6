// What the host of a lobby can do with it, and nobody else. [contract 11]
import { AppError, invalid } from '../errors.ts';
import type { Database } from '../platform/postgres.ts';
import { requireList } from '../vocabulary/lists/find-list.ts';
import { changedWords } from '../vocabulary/words.ts';
import { announceLobby } from './announce.ts';
import type { LiveDeps } from './event-log.ts';
import { kickPlayer, markWaitingAgain, setLocked, setSettings } from './host-store.ts';
import { isMember } from './rules.ts';
import { type LobbyChange, LobbySettings } from './schema.ts';
import { findById, type StoredLobby } from './store.ts';

type Deps = LiveDeps & { db: Database };

/** The lobby, or its host, may change between the look and the deed; only so often. */
const ATTEMPTS = 10;

/**
 * @returns the lobby as it is stored
 * @throws AppError NOT_IN_LOBBY, NOT_HOST
 */
export async function requireHost(
  db: Database,
  lobbyId: string,
  userId: string,
): Promise<StoredLobby> {
  const stored = await findById(db, lobbyId);
  if (!stored || !isMember(stored.roster, userId)) throw new AppError('NOT_IN_LOBBY');
  if (stored.roster.hostId !== userId) throw new AppError('NOT_HOST');
  return stored;
}

/**
 * Merges a change into the settings that hold.
 * @throws AppError NOT_IN_LOBBY, NOT_HOST, LOBBY_NOT_WAITING, VALIDATION_FAILED, LIST_NOT_FOUND,
 * LOBBY_FULL
 */
export async function configureLobby(
  deps: Deps,
  lobbyId: string,
  userId: string,
  change: LobbyChange,
): Promise<void> {
  await untilDone(async () => {
    const { roster, version } = await requireHost(deps.db, lobbyId, userId);
    if (roster.status !== 'waiting') throw new AppError('LOBBY_NOT_WAITING');
    const settings = mergedSettings(roster.settings, change.settings);
    if (change.settings?.listId) await requireList(deps.db, change.settings.listId, userId);
    const capacity = change.capacity ?? roster.capacity;
    if (capacity < roster.players.length) {
      throw new AppError('LOBBY_FULL', `The lobby has ${roster.players.length} players already.`);
    }
    return setSettings(deps.db, lobbyId, version, { settings, capacity });
  });
  await announceLobby(deps, lobbyId, 'always');
}

function mergedSettings(held: LobbySettings, change: LobbyChange['settings'] = {}): LobbySettings {
  const settings = LobbySettings.parse(changedWords(held, change));
  if (settings.listId === undefined && settings.sourceLanguage === settings.targetLanguage)
    throw sameLanguages();
  return settings;
}

/** @throws AppError NOT_IN_LOBBY, NOT_HOST */
export async function lockLobby(
  deps: Deps,
  lobbyId: string,
  userId: string,
  locked: boolean,
): Promise<void> {
  await untilDone(async () => {
    await requireHost(deps.db, lobbyId, userId);
    return setLocked(deps.db, lobbyId, userId, locked);
  });
  await announceLobby(deps, lobbyId, 'always');
}

/**
 * Removes a player for good. Who only finds it done, tells those who may not have been told.
 * @returns the lobby without the player
 * @throws AppError VALIDATION_FAILED, NOT_IN_LOBBY, NOT_HOST, PLAYER_NOT_FOUND
 */
export async function kickFromLobby(
  deps: Deps,
  lobbyId: string,
  hostId: string,
  userId: string,
): Promise<StoredLobby | null> {
  await untilDone(async () => {
    const { roster } = await requireHost(deps.db, lobbyId, hostId);
    if (!isMember(roster, userId)) {
      throw new AppError('PLAYER_NOT_FOUND');
    }
    return kickPlayer(deps.db, lobbyId, hostId, userId);
  });
  return announceLobby(deps, lobbyId, 'always');
}

/**
 * Opens a finished lobby for another game.
 * @param settle brings what is announced of the game in line with what is stored
 * @throws AppError NOT_IN_LOBBY, NOT_HOST, LOBBY_NOT_FINISHED
 */
export async function openAgain(
  deps: Deps,
  lobbyId: string,
  userId: string,
  settle: () => Promise<unknown>,
): Promise<void> {
  await untilDone(async () => {
    const { roster } = await requireHost(deps.db, lobbyId, userId);
    if (roster.status !== 'finished') {
      throw new AppError('LOBBY_NOT_FINISHED');
    }
    // The end of the game is told before the lobby waits once more.
    await settle();
    return markWaitingAgain(deps.db, lobbyId, userId);
  });
  await announceLobby(deps, lobbyId, 'always');
}

async function untilDone(tryOnce: () => Promise<boolean>): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) if (await tryOnce()) return;
  throw new AppError('UNAVAILABLE', 'The lobby keeps changing. Try again.');
}

function sameLanguages(): AppError {
  return invalid([{ path: 'settings.targetLanguage', message: 'must differ from sourceLanguage' }]);
}
