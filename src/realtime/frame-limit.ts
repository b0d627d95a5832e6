// The rate limit of one socket: a token bucket for its frames, and a bound on refused frames, beyond which
// the connection is closed. [contract 5, 17]
import { BUDGETS } from '../budgets.ts';
import { AppError } from '../errors.ts';

/** Refused frames in a row without a pause; with the last of them the socket is closed. [contract 17] */
const MAX_REFUSALS = 40;

/** The pause, in ms, that a refusal asks for and that resets the count of refusals. [contract 17] */
const PAUSE_MS = 1000;

/** The network may shorten a pause a little: this one, in ms, counts as whole. */
const MIN_PAUSE_MS = 0.95 * PAUSE_MS;

export type Verdict = 'accept' | 'refuse' | 'close';

export interface FrameLimit {
  tokens: number;
  /** When the last frame arrived, by the monotonic clock: a step of the wall clock must not refill tokens. */
  lastMs: number;
  refusals: number;
}

export function createFrameLimit(): FrameLimit {
  return { tokens: BUDGETS.messageBurst.max, lastMs: performance.now(), refusals: 0 };
}

/**
 * @param nowMs when the frame arrives, by `performance.now()`
 * @returns `close` if the frame is refused and the connection must be closed; a full queue accepts no frame
 */
export function countFrame(limit: FrameLimit, nowMs: number, isQueueFull: boolean): Verdict {
  const passedMs = nowMs - limit.lastMs;
  const refilled = limit.tokens + (passedMs / 1000) * BUDGETS.messages.max;
  limit.lastMs = nowMs;
  limit.tokens = Math.min(BUDGETS.messageBurst.max, refilled);
  if (passedMs >= MIN_PAUSE_MS) limit.refusals = 0;
  if (limit.tokens >= 1 && !isQueueFull) {
    limit.tokens--;
    return 'accept';
  }
  return ++limit.refusals < MAX_REFUSALS ? 'refuse' : 'close';
}

export function tooManyMessages(): AppError {
  return new AppError('RATE_LIMITED', `At most ${BUDGETS.messages.max} messages a second.`, {
    retryAfterMs: PAUSE_MS,
    limit: null,
  });
}
