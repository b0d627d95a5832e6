// POST /api/v1/lobbies/:code/join. [contract 4, 17]
import { AppError } from '../errors.ts';
import { type Database, isUniqueViolation } from '../platform/postgres.ts';
import type { CodeMissDeps } from './code-misses.ts';
import { type LiveDeps, putRoster } from './event-log.ts';
import { connectedUsers } from './presence.ts';
import { isMember, parseCode, viewOf } from './rules.ts';
import type { Lobby, Roster } from './schema.ts';
import { addPlayer, standingOf } from './store.ts';

/** A place can be freed or the lobby start between the refusal and the look at why. */
const ATTEMPTS = 3;

/**
 * Adds the user, if need be and possible; everyone connected is told.
 * @param code as the user wrote it
 * @throws AppError LOBBY_NOT_FOUND, KICKED, LOBBY_NOT_WAITING, LOBBY_LOCKED, LOBBY_FULL; RATE_LIMITED instead of any of
 * them, and of success, for a user who is no member and was wrong too often
 */
export async function joinLobby(
  deps: LiveDeps & CodeMissDeps & { db: Database },
  code: string,
  userId: string,
): Promise<Lobby> {
  const parsed = parseCode(code);
  if (!parsed) return refuseMiss(deps, userId);
  await requireFewMisses(deps, parsed, userId);
  for (let attempt = 1; ; attempt++) {
    const reply = await addPlayer(deps.db, parsed, userId).catch((error: unknown) => {
      // The same user has joined at the same moment from elsewhere.
      if (attempt < ATTEMPTS && isUniqueViolation(error)) return 'again' as const;
      throw error;
    });
    if (reply === 'again') continue;
    if (!reply) return refuseMiss(deps, userId);
    if (reply.isKicked) throw new AppError('KICKED');
    const { stored, added } = reply;
    const { roster } = stored;
    if (isMember(roster, userId) && (added || isOpen(roster))) {
      await putRoster(deps, stored, 'soon');
      return viewOf(roster, await connectedUsers(deps, roster.lobbyId));
    }
    if (!isOpen(roster)) {
      throw new AppError('LOBBY_NOT_WAITING');
    }
    if (roster.locked) {
      throw new AppError('LOBBY_LOCKED');
    }
    if (roster.players.length >= roster.capacity || attempt === ATTEMPTS) {
      const { players, capacity } = roster;
      throw new AppError(
        'LOBBY_FULL',
        `The lobby is full (${players.length} of ${capacity} players).`,
      );
    }
  }
}

/** Whether one may come in, as far as the game is concerned. */
function isOpen({ status, settings }: Roster): boolean {
  return status === 'waiting' || (status === 'running' && settings.lateJoin);
}

/** Before anything is found out. Whoever was wrong too often may still come back to where they belong. */
async function requireFewMisses(
  { db, codeMisses }: CodeMissDeps & { db: Database },
  code: string,
  userId: string,
): Promise<void> {
  try {
    await codeMisses.look(userId);
  } catch (error) {
    if ((await standingOf(db, code, userId)) !== 'member') throw error;
  }
}

async function refuseMiss({ codeMisses }: CodeMissDeps, userId: string): Promise<never> {
  await codeMisses.count(userId);
  throw new AppError('LOBBY_NOT_FOUND');
}
