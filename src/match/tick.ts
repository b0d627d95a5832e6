// What a game's clock does when it fires; a worker's job.
import { SpanKind } from '@opentelemetry/api';
import { DelayedError, type Job } from 'bullmq';
import { isOutage } from '../platform/outage.ts';
import { inSpan } from '../platform/tracing.ts';
import { ClockJob, RETRY_MS } from './clock.ts';
import type { MatchDeps } from './deps.ts';
import { endPhase, type Standing } from './end-phase.ts';
import { MatchPlan } from './plan.ts';
import { openMatch } from './start-match.ts';
import { readHead } from './store.ts';

/** Not made anew with each round: its stack, which nobody reads, would cost more than to judge the round. */
const DELAYED = new DelayedError();

/** Resolves what is due, then either ends or waits for the deadline that stands. */
export async function tick(
  deps: MatchDeps,
  job: Job<ClockJob>,
  token: string | undefined,
): Promise<void> {
  const clock = ClockJob.parse(job.data);
  const standing = await inSpan(
    'game clock',
    {
      kind: SpanKind.CONSUMER,
      attributes: { 'quiz.game.id': clock.gameId, 'quiz.lobby.id': clock.lobbyId },
      causedBy: clock.traceparent,
    },
    () => look(deps, clock, job),
  );
  if (standing.state !== 'open') return;
  // The deadline is by the Redis server's clock, the delay by ours.
  const remainingMs = Math.max(standing.deadlineMs - deps.nowMs(), 1);
  await job.moveToDelayed(Date.now() + remainingMs, token);
  throw DELAYED;
}

async function look(deps: MatchDeps, clock: ClockJob, job: Job<ClockJob>): Promise<Standing> {
  const { lobbyId, gameId } = clock;
  try {
    if (clock.plan) {
      if (!(await isOpen(deps, clock))) return { state: 'none' };
      await job.updateData({ ...clock, plan: null });
    }
    return await endPhase(deps, lobbyId, gameId);
  } catch (error) {
    const level = isOutage(error) ? 'debug' : 'error';
    deps.logger[level]({ err: error, gameId }, 'a clock tries again');
    return { state: 'open', deadlineMs: deps.nowMs() + RETRY_MS };
  }
}

/** Opens the game if its starter died before it could. @returns whether it is, or was, open */
async function isOpen(deps: MatchDeps, { lobbyId, gameId, plan }: ClockJob): Promise<boolean> {
  const head = await readHead(deps.redis, lobbyId);
  return head?.gameId === gameId || openMatch(deps, MatchPlan.parse(plan));
}
