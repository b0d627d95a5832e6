// A worker calls this when a game's clock is due.
import { SpanKind } from '@opentelemetry/api';
import { UnrecoverableError } from 'bullmq';
import { inSpan } from '../../platform/observability/tracing.ts';
import { isOutage } from '../../platform/outages/outage.ts';
import { endPhase } from '../end-phase.ts';
import { PreparedMatch } from '../prepared-match.ts';
import { openMatch } from '../start-match.ts';
import { type MatchServices, readHead } from '../store.ts';
import { type ClockJob, RETRY_MS } from './clock.ts';

/** A clock that runs can be neither rescheduled nor removed; the worker does that after the run. */
const RUNNING = { reschedule: () => {}, remove: () => {} };

/**
 * Opens the game if the replica that started it has died, and ends its phase if that is due. Where a store is
 * away, the clock runs again after `RETRY_MS`.
 * @returns the clock's new data and the delay of its next run, ms; null when the game needs no clock any more
 * @throws UnrecoverableError when the prepared game can't be parsed; any other error is a defect
 */
export function runClock(deps: MatchServices, clock: ClockJob) {
  const { lobbyId, gameId, traceparent } = clock;
  const attributes = { 'quiz.game.id': gameId, 'quiz.lobby.id': lobbyId };
  const options = { kind: SpanKind.CONSUMER, attributes, causedBy: traceparent };
  return inSpan('game clock', options, async () => {
    let data = clock;
    try {
      if (clock.prepared && !(await openIfStarted(deps, clock))) return null;
      data = { ...clock, prepared: null };
      const delayMs = await endPhase({ ...deps, clock: RUNNING }, lobbyId, gameId);
      return delayMs === null ? null : { data, delayMs };
    } catch (error) {
      if (!isOutage(error)) throw error;
      deps.logger.debug({ err: error, gameId }, 'a clock tries again');
      return { data, delayMs: RETRY_MS };
    }
  });
}

/** @returns whether the game is open, or was: false when another start of the lobby has won */
async function openIfStarted(deps: MatchServices, clock: ClockJob): Promise<boolean> {
  const { lobbyId, gameId } = clock;
  const head = await readHead(deps.redis, lobbyId);
  if (head?.gameId === gameId) return true;
  const parsed = PreparedMatch.safeParse(clock.prepared);
  if (!parsed.success) throw new UnrecoverableError(`game ${gameId} can't be opened from its clock: ${parsed.error}`);
  return openMatch(deps, parsed.data);
}
