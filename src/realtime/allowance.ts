// How much one socket may send: a token bucket, and the point at which a flood ends the connection.
// [contract 5, 17]
import { AppError } from '../errors.ts';

/** [contract 5: 20 messages a second with a burst of 40] */
const MESSAGES_PER_SECOND = 20;
const BURST = 40;

/** So many refused frames without a pause, and the socket is closed. [contract 17] */
const REFUSALS_ALLOWED = 40;

/** What a client is told to wait. [contract 17: a second's pause] */
const PAUSE_MS = 1000;

/** The network may deliver a second's pause a little shorter than it was made. */
const PAUSE_SEEN_MS = 0.95 * PAUSE_MS;

/** `close`: refused, and the last one that is looked at. */
export type Verdict = 'take' | 'refuse' | 'close';

/** What one socket has left. */
export interface Allowance {
  tokens: number;
  lastMs: number;
  refused: number;
}

export function createAllowance(): Allowance {
  return { tokens: BURST, lastMs: Date.now(), refused: 0 };
}

/** @returns what to do with a frame that arrives at `nowMs`; a full queue takes none */
export function judge(allowance: Allowance, nowMs: number, isQueueFull: boolean): Verdict {
  const passedMs = Math.max(0, nowMs - allowance.lastMs);
  const refilled = allowance.tokens + (passedMs / 1000) * MESSAGES_PER_SECOND;
  allowance.lastMs = nowMs;
  allowance.tokens = Math.min(BURST, refilled);
  if (passedMs >= PAUSE_SEEN_MS) allowance.refused = 0;
  if (allowance.tokens >= 1 && !isQueueFull) {
    allowance.tokens--;
    return 'take';
  }
  return ++allowance.refused < REFUSALS_ALLOWED ? 'refuse' : 'close';
}

/** @returns what the sender of a refused frame is told */
export function tooManyMessages(): AppError {
  return new AppError('RATE_LIMITED', `At most ${MESSAGES_PER_SECOND} messages a second.`, {
    retryAfterMs: PAUSE_MS,
  });
}
