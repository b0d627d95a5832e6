// The refusal of every limiter, wherever it counts. AppError accepts RATE_LIMITED only together with the limit, so that
// no limiter can forget the headers of its 429. [contract 1]
import { AppError, type Limit } from '../errors.ts';
import { counter } from '../platform/observability/metrics.ts';

/** The limiters by their names in the metrics. test/http/limiters.test.ts makes each of them refuse. */
export type Limiter =
  | 'account'
  | 'auth'
  | 'code_miss'
  | 'export'
  | 'game'
  | 'guest'
  | 'invitation'
  | 'invited_address'
  | 'lobby'
  | 'second_factor'
  | 'start'
  | 'stranger_code_miss';

const limitedRequests = counter('quiz_requests_limited_total', 'Requests refused by a limiter.', ['limiter']);

/** What a limiter refuses. */
export interface Excess {
  limiter: Limiter;
  /** What there is too much of, for the error's detail: `games`. */
  what: string;
  /** How much a window allows. */
  max: number;
  /** What remains of the window, ms. */
  waitMs: number;
}

/** Counts a refusal. @returns the error to throw */
export function overLimit({ limiter, what, max, waitMs }: Excess): AppError {
  limitedRequests.inc({ limiter });
  const seconds = Math.ceil(waitMs / 1000);
  const detail = `Too many ${what}. Try again in ${seconds} seconds.`;
  return new AppError('RATE_LIMITED', detail, { limit: { max, waitMs }, retryAfterMs: waitMs });
}

/** @returns the headers by which a refusal names the limit that it has exceeded */
export function limitHeaders({ max, waitMs }: Limit): Record<string, string> {
  const seconds = String(Math.ceil(waitMs / 1000));
  return {
    'retry-after': seconds,
    'ratelimit-limit': String(max),
    'ratelimit-remaining': '0',
    'ratelimit-reset': seconds,
  };
}
