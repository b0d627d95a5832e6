// lobby:start. [contract 5.3, 10] In three steps, of which the clock can do the last: the clock's
// job gets the plan, PostgreSQL decides which start wins, Redis opens the first round.
import { randomUUID } from 'node:crypto';
import { AppError } from '../errors.ts';
import { requireHost } from '../lobby/host.ts';
import { connectedUsers } from '../lobby/presence.ts';
import { findById, markRunning, type StoredLobby } from '../lobby/store.ts';
import { currentTraceparent, inSpan } from '../platform/tracing.ts';
import { requireList } from '../vocabulary/lists/find-list.ts';
import type { ListHead } from '../vocabulary/lists/store.ts';
import type { SealedQuestion } from '../vocabulary/rules.ts';
import type { Deck } from '../vocabulary/schema.ts';
import { wordsOf } from '../vocabulary/words.ts';
import type { Clock } from './clock.ts';
import type { MatchDeps } from './deps.ts';
import { matchMetrics } from './metrics.ts';
import type { MatchPlan } from './plan.ts';
import { start } from './store.ts';

const MIN_CONNECTED = 2;

/** A join or leave in the middle of a start makes it look again; only so often. */
const ATTEMPTS = 10;

export interface StartDeps extends MatchDeps {
  clock: Clock;
  /** Draws questions from a deck or a list. */
  drawQuestions(words: Deck | ListHead, count: number): Promise<SealedQuestion[]>;
}

/**
 * Starts the game of a waiting lobby with the members who are connected at this moment.
 * @throws AppError NOT_IN_LOBBY, NOT_HOST, LOBBY_NOT_WAITING, NOT_ENOUGH_PLAYERS, LIST_NOT_FOUND, or
 * a 422 of `drawQuestions`, in this order; the lobby stays waiting then
 */
export function startMatch(deps: StartDeps, lobbyId: string, userId: string): Promise<void> {
  return inSpan('game start', { attributes: { 'quiz.lobby.id': lobbyId } }, () =>
    tryToStart(deps, lobbyId, userId),
  );
}

async function tryToStart(deps: StartDeps, lobbyId: string, userId: string): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const lobby = await findStartable(deps, lobbyId, userId);
    const plan = await planMatch(deps, lobby);
    await deps.clock.wind(plan);
    if (!(await markRunning(deps.db, lobbyId, lobby.version, plan))) continue;
    await open(deps, plan, asRunning(lobby, plan));
    return;
  }
  throw new AppError('UNAVAILABLE', 'The lobby keeps changing. Try again.');
}

/** Nothing else has changed since it was read, or it could not have been marked. */
function asRunning({ roster, version }: StoredLobby, { gameId }: MatchPlan): StoredLobby {
  return { roster: { ...roster, status: 'running', gameId }, version: version + 1 };
}

async function findStartable(
  deps: StartDeps,
  lobbyId: string,
  userId: string,
): Promise<StoredLobby> {
  const lobby = await requireHost(deps.db, lobbyId, userId);
  if (lobby.roster.status !== 'waiting') throw new AppError('LOBBY_NOT_WAITING');
  return lobby;
}

async function planMatch(deps: StartDeps, { roster }: StoredLobby): Promise<MatchPlan> {
  const connected = await connectedUsers(deps, roster.lobbyId);
  const present = roster.players.filter(({ userId }) => connected.has(userId));
  const players = present.filter(({ plays }) => plays);
  // A host who presents and one player are enough. [contract 11]
  if (present.length < MIN_CONNECTED || players.length === 0) {
    throw new AppError('NOT_ENOUGH_PLAYERS');
  }
  const { lobbyId, code, hostId, settings } = roster;
  const chosen = wordsOf(settings);
  const words = 'listId' in chosen ? await requireList(deps.db, chosen.listId, hostId) : chosen;
  const presenter = roster.players.find(({ plays }) => !plays);
  return {
    lobbyId,
    code,
    gameId: randomUUID(),
    // Whatever becomes of the list. [contract 14]
    settings: 'listId' in words ? { ...settings, listName: words.name } : settings,
    durationMs: settings.roundMs,
    presenterId: presenter?.userId,
    questions: await deps.drawQuestions(words, settings.rounds),
    players: players.map(({ userId, name }) => ({ userId, name })),
    traceparent: currentTraceparent(),
  };
}

/**
 * Opens the first round of a game whose lobby PostgreSQL has marked running; opening it twice
 * changes nothing. The clock calls this when the replica died between the two.
 * @returns whether the game is, or had been, opened: false when this plan did not win
 */
export async function openMatch(deps: MatchDeps, plan: MatchPlan): Promise<boolean> {
  const lobby = await findById(deps.db, plan.lobbyId);
  if (lobby?.roster.gameId !== plan.gameId || lobby.roster.status !== 'running') return false;
  await open(deps, plan, lobby);
  return true;
}

async function open(deps: MatchDeps, plan: MatchPlan, lobby: StoredLobby): Promise<void> {
  await start(deps, plan, lobby);
  matchMetrics.gamesStarted.inc();
  deps.logger.info({ gameId: plan.gameId, code: plan.code }, 'game started');
}
