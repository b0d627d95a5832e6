// Learning: every few seconds each worker reads the finished games, answered quizzes and attempts that are not learned
// yet, and updates the memory of their players. Several workers may do so at once. [contract 13: shown within 10 s]
import { setTimeout as sleep } from 'node:timers/promises';
import { findPendingAttempts } from '../src/assignments/learn-attempts.ts';
import type { CommonServices } from '../src/common-services.ts';
import { findPendingGames } from '../src/learning/learn-games.ts';
import { learnBatch, type PendingReviews } from '../src/learning/learner.ts';
import { counter, gauge, readOnScrape } from '../src/platform/observability/metrics.ts';
import { logFailure } from '../src/platform/outages/outage-log.ts';
import { findPendingQuizzes } from '../src/singleplayer/learn-quizzes.ts';
import type { Consumer } from './queues.ts';

/** The pause between two turns, ms: a fraction of the contract's ten seconds, and long enough to form batches. */
const LEARN_INTERVAL_MS = 2000;

const metrics = {
  reviews: counter('quiz_reviews_total', 'Judged answers that were written into the memory.'),
  lag: gauge(
    'quiz_reviews_lag_seconds',
    'How long ago the oldest game ended, or the oldest quiz was answered, that is not learned yet.',
  ),
  unreadable: counter(
    'quiz_reviews_unreadable_total',
    'Rounds of games, and answers of quizzes, that could not be read and are passed over.',
  ),
};

type LearnServices = Pick<CommonServices, 'db' | 'redis' | 'logger' | 'nowMs'>;

export function startLearning(deps: LearnServices): Consumer {
  const closing = new AbortController();
  const waiting: Waiting = new Map();
  const stopMeasuring = readOnScrape(async () => {
    const lagMs = waiting.size > 0 ? deps.nowMs() - Math.min(...waiting.values()) : 0;
    metrics.lag.set(Math.max(0, lagMs) / 1000);
  });

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await learn(deps, waiting, closing.signal);
      await sleep(LEARN_INTERVAL_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }
  const running = run();
  return {
    async close() {
      closing.abort();
      await running;
      stopMeasuring();
    },
  };
}

/** By what finds pending answers since when the oldest of these waits, ms since 1970. */
type Waiting = Map<(deps: LearnServices) => Promise<PendingReviews>, number>;

/** Learns all games, quizzes and attempts. A failure of one source doesn't stop the others. */
export async function learn(deps: LearnServices, waiting: Waiting = new Map(), closing?: AbortSignal): Promise<void> {
  const sources = [findPendingGames, findPendingQuizzes, findPendingAttempts];
  const attempts = sources.map((find) =>
    learnAll(deps, find, closing, (sinceMs) => {
      if (sinceMs === null) waiting.delete(find);
      else waiting.set(find, sinceMs);
    }),
  );
  for (const { status, reason } of (await Promise.allSettled(attempts)) as PromiseRejectedResult[])
    if (status === 'rejected') logFailure(deps.logger, 'error', reason, 'judged answers are not learned: trying again');
}

/** @param note is told since when the oldest answer of the source waits */
async function learnAll(
  deps: LearnServices,
  find: (deps: LearnServices) => Promise<PendingReviews>,
  closing: AbortSignal | undefined,
  note: (sinceMs: number | null) => void,
): Promise<void> {
  for (let hasMore = true; hasMore && !closing?.aborted; ) {
    const pending = await find(deps);
    note(pending.sinceMs);
    hasMore = pending.hasMore;
    for (const take of pending.batches) {
      if (closing?.aborted) return;
      const { taken, reviews, unreadable } = await learnBatch(deps.db, take);
      metrics.reviews.inc(reviews);
      metrics.unreadable.inc(unreadable);
      if (unreadable > 0) deps.logger.error({ unreadable }, 'judged answers could not be read');
      // Other workers have locked the games that are left.
      if (taken === 0) return;
    }
  }
  note(null);
}
