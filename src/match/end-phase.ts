// Ends the phases of games: rounds, intermissions, and the game itself. Everything that can end a phase calls
// this file: the last answer, the departure of the last awaited player, the clock, the host, the reconciler,
// and any message that finds a phase overdue. [contract 5.5, 11]
import { AppError } from '../errors.ts';
import { requireHost } from '../lobby/host.ts';
import { inSpan } from '../platform/observability/tracing.ts';
import { retryOptimisticWrite } from '../platform/optimistic-write.ts';
import { logFailure } from '../platform/outages/outage-log.ts';
import { RETRY_MS } from './clock/clock.ts';
import { finishMatch } from './finish-match.ts';
import { matchMetrics } from './metrics.ts';
import { afterEnd, endOfPhase, type Match, type PhaseEnd } from './rules.ts';
import type { HostCommand, MatchHead, MatchServices, PhaseEndReply } from './store.ts';
import { checkRound, readHead, readMatch, storePhaseEnd, storeSkip } from './store.ts';

/** Attempts to end a phase, each on a newer snapshot. More concurrent changes are a defect, and throw. */
const ATTEMPTS = 20;

/** The clock checks a round that waits for present players alone after so many ms, in case no socket is left. */
const PRESENCE_CHECK_MS = 20_000;

/**
 * Ends the phase of a lobby's game if it is over, and stores the result after the last one. Any number of
 * callers may do so at once: each phase ends once. After a crash between two steps the next caller goes on.
 * @param gameId the game that is meant; by default whichever game the lobby has
 * @param known a snapshot that the caller has just read, which saves a round trip
 * @returns in how many ms the open phase may be over; null where the game is over, or Redis has no such game
 * @throws where a store is away; a later call completes the end
 */
export async function endPhase(deps: MatchServices, lobbyId: string, gameId?: string, known: Match | null = null) {
  const dueInMs = await retryOptimisticWrite(ATTEMPTS, async (attempt) => {
    const match = (attempt === 1 && known) || (await readMatch(deps.redis, lobbyId));
    if (!match || (gameId && match.gameId !== gameId)) return null;
    return endPhaseOf(deps, match);
  });
  if (dueInMs === undefined) throw new Error(`the game of lobby ${lobbyId} changed during ${ATTEMPTS} attempts`);
  return dueInMs;
}

/** @returns undefined where a newer snapshot is needed, since this one was outdated */
async function endPhaseOf(deps: MatchServices, match: Match): Promise<number | null | undefined> {
  if (match.status === 'finished') return null;
  if (match.status === 'finishing') return finish(deps, match);
  const nowMs = deps.nowMs();
  const end = endOfPhase(match, nowMs);
  if (!end) return waitsForPresent(match, match.status) ? checkPresent(deps, match) : match.deadlineMs - nowMs;
  const { outcome, lateMs, dueInMs, rounds } = await writePhaseEnd(deps, match, end);
  if (outcome === 'stale') return undefined;
  // `early`: this process estimates the server's time, and was ahead of it.
  if (outcome === 'early' || end.next.status !== 'finishing') return dueInMs;
  return finish(deps, afterEnd(match, end, match.deadlineMs + lateMs), rounds);
}

const waitsForPresent = ({ settings }: Match, status: Match['status']) =>
  settings.waitFor === 'present' && status === 'open';

/**
 * Marks the round as over if everybody has answered who is present. Otherwise the clock checks it when the last of them
 * may be gone: nobody else does, once no socket is left in the lobby. [contract 25]
 */
async function checkPresent(deps: MatchServices, { lobbyId, gameId }: Match): Promise<number | undefined> {
  const round = await checkRound(deps.redis, lobbyId);
  if (!round || round === 'complete' || round.gameId !== gameId) return undefined;
  const dueInMs = Math.min(round.dueInMs, PRESENCE_CHECK_MS);
  deps.clock.reschedule(gameId, dueInMs);
  return dueInMs;
}

/**
 * The clock of a game that ends early still has the last deadline. It is removed with the end, and comes sooner
 * only where a store is away. After a crash in between, the reconciler of another replica finishes the game.
 */
async function finish(deps: MatchServices, match: Match, rounds?: string[]): Promise<null> {
  try {
    await finishMatch(deps, match, rounds);
  } catch (error) {
    deps.clock.reschedule(match.gameId, RETRY_MS);
    throw error;
  }
  deps.clock.remove(match.gameId);
  return null;
}

async function writePhaseEnd(deps: MatchServices, match: Match, end: PhaseEnd): Promise<PhaseEndReply> {
  const { reason } = end;
  const attributes = { 'quiz.game.id': match.gameId, 'quiz.round': match.round, reason };
  const reply = await inSpan('phase end', { attributes }, () => storePhaseEnd(deps, match, end));
  const { outcome, lateMs } = reply;
  if (outcome !== 'ended') return reply;
  const dueInMs = waitsForPresent(match, end.next.status) ? Math.min(reply.dueInMs, PRESENCE_CHECK_MS) : reply.dueInMs;
  if (end.judged) {
    matchMetrics.roundsResolved.inc({ reason });
    if (reason === 'timeout') matchMetrics.roundLateness.observe(lateMs / 1000);
  }
  // The clock still has the former deadline, which is in `-lateMs`. Only an earlier one needs a change.
  if (end.next.status !== 'finishing' && dueInMs < -lateMs) deps.clock.reschedule(match.gameId, dueInMs);
  return { ...reply, dueInMs };
}

/**
 * Ends the phase as `endPhase` does, but never throws: where a store is away, the clock ends the phase later.
 * Use cases call it after their own work is done, so that a game goes on without a worker.
 */
export function tryToEndPhase(deps: MatchServices, lobbyId: string, known: Match | null = null): Promise<void> {
  return logFailures(deps, lobbyId, () => endPhase(deps, lobbyId, undefined, known));
}

/**
 * Ends the phase as `tryToEndPhase` does, if it is over. As long as it is not, only the state of the game is read,
 * and none of its players: in a large room everybody who comes back asks.
 * @param known the state, if the caller has just read it
 */
export function endOverduePhase(deps: MatchServices, lobbyId: string, known?: MatchHead): Promise<void> {
  return logFailures(deps, lobbyId, async () => {
    const head = known ?? (await readHead(deps.redis, lobbyId));
    if (head && (await isOver(deps, lobbyId, head))) await endPhase(deps, lobbyId);
  });
}

/**
 * Checks a round that waits for present players alone after this replica's last socket has left the lobby, so that the
 * clock knows until when the round waits. [contract 25]
 */
export function checkAbandonedRound(deps: MatchServices, lobbyId: string): Promise<void> {
  return logFailures(deps, lobbyId, async () => {
    const head = await readHead(deps.redis, lobbyId);
    if (head?.waitFor === 'present' && head.status === 'open') await endPhase(deps, lobbyId);
  });
}

async function isOver({ redis, nowMs }: MatchServices, lobbyId: string, head: MatchHead): Promise<boolean> {
  const { status, isComplete, deadlineMs, waitFor } = head;
  if (status === 'finished') return false;
  if (status === 'finishing' || isComplete || nowMs() >= deadlineMs) return true;
  return waitFor === 'present' && (await checkRound(redis, lobbyId)) === 'complete';
}

async function logFailures({ logger }: MatchServices, lobbyId: string, end: () => Promise<unknown>): Promise<void> {
  try {
    await end();
  } catch (error) {
    const text = 'a phase was not ended: the clock tries again';
    logFailure(logger, 'warn', error, text, { lobbyId });
  }
}

/**
 * Marks the phase or the game as over, and ends it; if this process dies meanwhile, the next caller of `endPhase` does.
 * @throws AppError NOT_IN_LOBBY, NOT_HOST, NOT_IN_GAME, ROUND_CLOSED
 */
export async function endAsHost(deps: MatchServices, lobbyId: string, userId: string, command: HostCommand) {
  const { roster } = await requireHost(deps.postgres, lobbyId, userId);
  if (roster.status !== 'running') throw new AppError('NOT_IN_GAME');
  const reply = await storeSkip(deps.redis, lobbyId, command);
  if (reply === 'NOT_IN_GAME' || reply === 'ROUND_CLOSED') throw new AppError(reply);
  await tryToEndPhase(deps, lobbyId);
  if (reply === 'OVERDUE') throw new AppError('ROUND_CLOSED');
}
