// The one way in which a phase ends, whoever notices: the last answer, the last awaited player's
// leaving, the clock, the host, or any touch of an overdue phase. [contract 5.5, 11]
import { countOutage } from '../platform/outage-log.ts';
import { inSpan } from '../platform/tracing.ts';
import { RETRY_MS } from './clock.ts';
import type { MatchDeps } from './deps.ts';
import { finishMatch } from './finish-match.ts';
import { matchMetrics } from './metrics.ts';
import { endOfPhase, type Match, type PhaseEnd } from './rules.ts';
import { type Ended, end, read } from './store.ts';

/** Each further attempt means that somebody else changed the game in between. */
const ATTEMPTS = 20;

/** How a game stands after it was looked at. */
export type Standing =
  | { state: 'open'; deadlineMs: number }
  | { state: 'finished' }
  /** There is no such game here: it was never opened, or is over and forgotten. */
  | { state: 'none' };

/**
 * Resolves what is due of a lobby's game, once, however many do it at the same time; a crash
 * between any two steps leaves it to the next caller.
 * @param gameId which game is meant; whichever runs there, without one
 * @param known how the game stood a moment ago, for who has seen that already
 * @throws when a store is away; calling again later goes on where this stopped
 */
export async function endPhase(
  deps: MatchDeps,
  lobbyId: string,
  gameId?: string,
  known: Match | null = null,
): Promise<Standing> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const match = (attempt === 1 && known) || (await read(deps.redis, lobbyId));
    if (!match || (gameId && match.gameId !== gameId)) return { state: 'none' };
    if (match.status === 'finished') return { state: 'finished' };
    if (match.status === 'finishing') {
      await finishMatch(deps, match);
      return { state: 'finished' };
    }
    const phase = endOfPhase(match, deps.nowMs());
    if (!phase) return { state: 'open', deadlineMs: match.deadlineMs };
    const { outcome, deadlineMs } = await endAndCount(deps, match, phase);
    // Our idea of the Redis server's time runs ahead of it by a little.
    if (outcome === 'early') return { state: 'open', deadlineMs: match.deadlineMs };
    if (outcome === 'ended' && phase.next.status !== 'finishing')
      return { state: 'open', deadlineMs };
  }
  throw new Error(`game of lobby ${lobbyId} changed ${ATTEMPTS} times while it was judged`);
}

async function endAndCount(deps: MatchDeps, match: Match, phase: PhaseEnd): Promise<Ended> {
  const { reason } = phase;
  const attributes = { 'quiz.game.id': match.gameId, 'quiz.round': match.round, reason };
  const ended = await inSpan('phase end', { attributes }, () => end(deps, match, phase));
  const { outcome, lateMs, deadlineMs } = ended;
  if (outcome !== 'ended') return ended;
  if (phase.judged) {
    matchMetrics.roundsResolved.inc({ reason });
    if (reason === 'timeout') matchMetrics.roundLateness.observe(lateMs / 1000);
  }
  // The clock sleeps until the deadline that stood; what comes next may be due before.
  const dueMs = phase.next.status === 'finishing' ? deadlineMs + RETRY_MS : deadlineMs;
  if (dueMs < match.deadlineMs) deps.clock.hasten(match.gameId, dueMs);
  return ended;
}

/**
 * Resolves what is due if that is possible right now; else the clock tries again. Any touch of an
 * overdue phase does this, so that a game goes on without a worker.
 */
export async function resolveQuietly(
  deps: MatchDeps,
  lobbyId: string,
  known: Match | null = null,
): Promise<void> {
  try {
    await endPhase(deps, lobbyId, undefined, known);
  } catch (error) {
    if (!countOutage(deps.logger, error))
      deps.logger.warn({ err: error, lobbyId }, 'a phase is left to the clock');
  }
}
