// The one way in which a round ends, whoever notices: the last answer, the last awaited player's
// leaving, the clock, or any touch of an overdue round. [contract 5.5]
import { countOutage } from '../platform/outage-log.ts';
import { inSpan } from '../platform/tracing.ts';
import type { MatchDeps } from './deps.ts';
import { finishMatch } from './finish-match.ts';
import { matchMetrics } from './metrics.ts';
import { judgeRound, roundEnd } from './rules.ts';
import { advance, read } from './store.ts';

/** Each further attempt means that somebody else changed the game in between. */
const ATTEMPTS = 20;

/** How a game stands after it was looked at. */
export type Standing =
  | { state: 'open'; deadlineMs: number }
  | { state: 'finished' }
  /** There is no game here. */
  | { state: 'none' };

/**
 * Resolves what is due of a lobby's game, once, however many do it at the same time; a crash
 * between any two steps leaves it to the next caller.
 * @throws when a store is away; calling again later goes on where this stopped
 */
export async function resolveRound(deps: MatchDeps, lobbyId: string): Promise<Standing> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const match = await read(deps.redis, lobbyId);
    if (!match) return { state: 'none' };
    if (match.status === 'finished') return { state: 'finished' };
    if (match.status === 'finishing') {
      await finishMatch(deps, match);
      return { state: 'finished' };
    }
    const reason = roundEnd(match, deps.nowMs());
    if (!reason) return { state: 'open', deadlineMs: match.deadlineMs };
    const { outcome, lateMs } = await inSpan(
      'round resolve',
      { attributes: { 'quiz.game.id': match.gameId, 'quiz.round': match.round, reason } },
      () => advance(deps, match, reason, judgeRound(match)),
    );
    // Our idea of the Redis server's time runs ahead of it by a little.
    if (outcome === 'early') return { state: 'open', deadlineMs: match.deadlineMs };
    if (outcome === 'advanced') {
      matchMetrics.roundsResolved.inc({ reason });
      if (reason === 'timeout') matchMetrics.roundLateness.observe(lateMs / 1000);
    }
  }
  throw new Error(`game of lobby ${lobbyId} changed ${ATTEMPTS} times while it was judged`);
}

/**
 * Resolves what is due if that is possible right now; else the clock tries again. Any touch of an
 * overdue round does this, so that a game goes on without a worker.
 */
export async function resolveQuietly(deps: MatchDeps, lobbyId: string): Promise<void> {
  try {
    await resolveRound(deps, lobbyId);
  } catch (error) {
    if (!countOutage(deps.logger, error))
      deps.logger.warn({ err: error, lobbyId }, 'a round is left to the clock');
  }
}
