// What a game's clock does when it fires.
import { SpanKind } from '@opentelemetry/api';
import { isOutage } from '../platform/outage.ts';
import { inSpan } from '../platform/tracing.ts';
import { type ClockJob, RETRY_MS } from './clock.ts';
import type { MatchDeps } from './deps.ts';
import { endPhase, type Standing } from './end-phase.ts';
import { MatchPlan } from './plan.ts';
import { openMatch } from './start-match.ts';
import { readHead } from './store.ts';

/** What a clock has found. */
export interface Found {
  /** An open game needs its clock at its deadline; where a store is away, it is said to be soon. */
  standing: Standing;
  /** The game needs the plan no more. */
  isStarted: boolean;
}

/** Resolves what is due. */
export async function tick(deps: MatchDeps, clock: ClockJob): Promise<Found> {
  const { lobbyId, gameId } = clock;
  let isStarted = !clock.plan;
  async function look(): Promise<Standing> {
    try {
      isStarted ||= await isOpen(deps, clock);
      return isStarted ? await endPhase(deps, lobbyId, gameId) : { state: 'none' };
    } catch (error) {
      const level = isOutage(error) ? 'debug' : 'error';
      deps.logger[level]({ err: error, gameId }, 'a clock tries again');
      return { state: 'open', deadlineMs: deps.nowMs() + RETRY_MS };
    }
  }
  const standing = await inSpan(
    'game clock',
    {
      kind: SpanKind.CONSUMER,
      attributes: { 'quiz.game.id': gameId, 'quiz.lobby.id': lobbyId },
      causedBy: clock.traceparent,
    },
    look,
  );
  return { standing, isStarted };
}

/** Opens the game if its starter died before it could. @returns whether it is, or was, open */
async function isOpen(deps: MatchDeps, { lobbyId, gameId, plan }: ClockJob): Promise<boolean> {
  const head = await readHead(deps.redis, lobbyId);
  return head?.gameId === gameId || openMatch(deps, MatchPlan.parse(plan));
}
