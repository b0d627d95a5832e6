// POST /api/v1/lobbies: a lobby with a fresh code and its host in it.
import { randomBytes } from 'node:crypto';
import { type Database, isUniqueViolation } from '../platform/postgres.ts';
import { requireList } from '../vocabulary/lists/find-list.ts';
import { codeFrom, viewOf } from './rules.ts';
import type { CreateLobbyRequest, Lobby } from './schema.ts';
import { insertLobby } from './store.ts';

/** [spec: code generation attempts] */
const CODE_ATTEMPTS = 5;

/**
 * @param deps.roundDurationMs a round's time where the request names none
 * @param deps.newCode makes a code; a taken one is regenerated, up to five attempts in all
 * @throws AppError LIST_NOT_FOUND; whatever the database throws, a fifth taken code included; other failures at once
 */
export async function createLobby(
  deps: { db: Database; roundDurationMs: number; newCode?: () => string },
  hostId: string,
  { capacity, settings }: CreateLobbyRequest,
): Promise<Lobby> {
  if ('listId' in settings) await requireList(deps.db, settings.listId, hostId);
  const newCode = deps.newCode ?? (() => codeFrom(randomBytes(6)));
  const lobby = {
    capacity,
    settings: { ...settings, roundMs: settings.roundMs ?? deps.roundDurationMs },
  };
  for (let attempt = 1; ; attempt++) {
    try {
      const { roster } = await insertLobby(deps.db, newCode(), hostId, lobby);
      return viewOf(roster, []);
    } catch (error) {
      if (attempt === CODE_ATTEMPTS || !isUniqueViolation(error)) throw error;
    }
  }
}
