// Starts a game in three steps: the clock's job gets the prepared game, PostgreSQL decides which of several
// starts wins, and Redis opens the first round. If the replica dies before the last step, the clock takes it.
// [contract 5.3, 10]
import { randomUUID } from 'node:crypto';
import { AppError } from '../errors.ts';
import { requireHost, retryWhileChanging } from '../lobby/host.ts';
import { connectedUsers } from '../lobby/presence.ts';
import { isCompact } from '../lobby/rules.ts';
import type { Roster } from '../lobby/schema.ts';
import { findById, markRunning, type StoredLobby } from '../lobby/store.ts';
import { currentTraceparent, inSpan } from '../platform/observability/tracing.ts';
import type { Services } from '../services.ts';
import { type PlayableList, requireList } from '../vocabulary/lists/store.ts';
import type { SealedQuestion } from '../vocabulary/rules.ts';
import type { AnswerMode, Deck } from '../vocabulary/schema.ts';
import { storedWordsOf, withListName } from '../vocabulary/words.ts';
import { matchMetrics } from './metrics.ts';
import type { PreparedMatch } from './prepared-match.ts';
import { type MatchServices, storeStart } from './store.ts';

/** Members who must be connected at a start, a presenting host included. */
const MIN_CONNECTED = 2;

/** What a start needs besides: its clock, and what draws questions from a deck or a list. */
export type StartServices = MatchServices &
  Pick<Services, 'clock'> & {
    drawQuestions(
      words: Deck | PlayableList,
      count: number,
      how: { answerMode: AnswerMode },
    ): Promise<SealedQuestion[]>;
  };

/**
 * Starts the game of a waiting lobby with the members who are connected now.
 * @throws AppError NOT_IN_LOBBY, NOT_HOST, LOBBY_NOT_WAITING, NOT_ENOUGH_PLAYERS, LIST_NOT_FOUND, or a 422 of
 *   `drawQuestions`, in this order
 */
export function startMatch(deps: StartServices, lobbyId: string, userId: string): Promise<void> {
  return inSpan('game start', { attributes: { 'quiz.lobby.id': lobbyId } }, () =>
    retryWhileChanging(() => tryToStart(deps, lobbyId, userId)),
  );
}

async function tryToStart(deps: StartServices, lobbyId: string, userId: string): Promise<boolean> {
  const lobby = await requireHost(deps.postgres, lobbyId, userId);
  if (lobby.roster.status !== 'waiting') throw new AppError('LOBBY_NOT_WAITING');
  const prepared = await prepareMatch(deps, lobby);
  const emptyClock = await deps.clock.schedule(prepared);
  if (!(await markRunning(deps.postgres, lobbyId, lobby.version, prepared))) return false;
  // `markRunning` succeeds only where nothing else has changed, so that the lobby needn't be read again.
  const { gameId, settings } = prepared;
  const roster: Roster = { ...lobby.roster, settings, status: 'running', gameId };
  await openPrepared(deps, prepared, { roster, version: lobby.version + 1 });
  emptyClock();
  return true;
}

async function prepareMatch(deps: StartServices, { roster }: StoredLobby): Promise<PreparedMatch> {
  const connected = await connectedUsers(deps, roster.lobbyId);
  const present = roster.players.filter(({ userId }) => connected.has(userId));
  const players = present.filter(({ plays }) => plays);
  // A presenting host and one player are enough. [contract 11]
  if (present.length < MIN_CONNECTED || players.length === 0) throw new AppError('NOT_ENOUGH_PLAYERS');
  const { lobbyId, code, hostId, settings } = roster;
  const chosen = storedWordsOf(settings);
  const words = 'listId' in chosen ? await requireList(deps.db, chosen, hostId) : chosen;
  const presenter = roster.players.find(({ plays }) => !plays);
  return {
    lobbyId,
    code,
    gameId: randomUUID(),
    // The list may have been renamed since it was chosen.
    settings: 'listId' in words ? withListName(settings, words) : settings,
    isCompact: isCompact(roster),
    durationMs: settings.roundMs,
    presenterId: presenter?.userId,
    questions: await deps.drawQuestions(words, settings.rounds, settings),
    playerIds: players.map(({ userId }) => userId),
    traceparent: currentTraceparent(),
  };
}

/**
 * Opens the first round for the clock of a start whose replica died when PostgreSQL had marked the lobby as running.
 * @returns whether the game is open, or was: false when another start of the lobby has won
 */
export async function openMatch(deps: MatchServices, prepared: PreparedMatch): Promise<boolean> {
  const lobby = await findById(deps.postgres, prepared.lobbyId);
  if (lobby?.roster.gameId !== prepared.gameId || lobby.roster.status !== 'running') return false;
  await openPrepared(deps, prepared, lobby);
  return true;
}

async function openPrepared(deps: MatchServices, prepared: PreparedMatch, lobby: StoredLobby): Promise<void> {
  await storeStart(deps, prepared, lobby);
  matchMetrics.gamesStarted.inc();
  deps.logger.info({ gameId: prepared.gameId, code: prepared.code }, 'game started');
}
