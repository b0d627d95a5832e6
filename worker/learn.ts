// Learning: every few seconds each worker reads the finished games, answered quizzes and attempts that are not learned
// yet, and updates the memory of their players. Several workers may do so at once. [contract 13: shown within 10 s]
import { setTimeout as sleep } from 'node:timers/promises';
import { findPendingAttempts } from '../src/assignments/learn-attempts.ts';
import type { CommonServices } from '../src/common-services.ts';
import { findPendingGames } from '../src/learning/learn-games.ts';
import { learnBatch, type PendingReviews } from '../src/learning/learner.ts';
import { counter, gauge, readOnScrape } from '../src/platform/observability/metrics.ts';
import { logFailure } from '../src/platform/outages/outage-log.ts';
import type { Consumer } from '../src/platform/queues/queue.ts';
import { findPendingQuizzes } from '../src/singleplayer/learn-quizzes.ts';

/** The pause between two turns, ms: a fraction of the contract's ten seconds, and long enough to form batches. */
const LEARN_INTERVAL_MS = 2000;

/** Once an answer has waited for so many ms, half of the contract's ten seconds, its source is learned without rests. */
const HURRY_AFTER_MS = 5000;

const learned = counter('quiz_reviews_total', 'Judged answers that were written into the memory.');
const lag = gauge(
  'quiz_reviews_lag_seconds',
  'How long ago the oldest game ended, or the oldest quiz was answered, that is not learned yet.',
);
const unreadables = counter(
  'quiz_reviews_unreadable_total',
  'Rounds of games, and answers of quizzes, that could not be read and are passed over.',
);

type LearnServices = Pick<CommonServices, 'db' | 'redis' | 'logger' | 'nowMs'>;
type Find = (deps: LearnServices) => Promise<PendingReviews>;

interface LearnOptions {
  /** By what finds pending answers since when the oldest of these waits, ms since 1970. */
  waiting?: Map<Find, number>;
  closing?: AbortSignal;
  /** Waits for so many ms. */
  rest?: (ms: number) => Promise<unknown>;
}

export function startLearning(deps: LearnServices): Consumer {
  const closing = new AbortController();
  const { signal } = closing;
  const waiting = new Map<Find, number>();
  const stopMeasuring = readOnScrape(async () => {
    const lagMs = waiting.size > 0 ? deps.nowMs() - Math.min(...waiting.values()) : 0;
    lag.set(Math.max(0, lagMs) / 1000);
  });

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await learn(deps, { waiting, closing: signal });
      await sleep(LEARN_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
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

/** Learns all games, quizzes and attempts. A failure of one source doesn't stop the others. */
export async function learn(deps: LearnServices, { waiting = new Map(), closing, rest = sleep }: LearnOptions = {}) {
  async function learnAll(find: Find): Promise<void> {
    for (let hasMore = true; hasMore && !closing?.aborted; ) {
      const pending = await find(deps);
      const sinceMs = pending.sinceMs ?? deps.nowMs();
      waiting.set(find, sinceMs);
      hasMore = pending.hasMore;
      for (const take of pending.batches) {
        if (closing?.aborted) return;
        const startedMs = performance.now();
        const { taken, reviews, unreadable } = await learnBatch(deps.db, take);
        learned.inc(reviews);
        unreadables.inc(unreadable);
        if (unreadable > 0) deps.logger.error({ unreadable }, 'judged answers could not be read');
        // Other workers have locked the games that are left.
        if (taken === 0) return;
        // While a hundred games that have ended are learned, those that go on have half of the time for themselves.
        if (deps.nowMs() - sinceMs < HURRY_AFTER_MS) await rest(performance.now() - startedMs);
      }
    }
    waiting.delete(find);
  }

  const attempts = [findPendingGames, findPendingQuizzes, findPendingAttempts].map(learnAll);
  for (const { status, reason } of (await Promise.allSettled(attempts)) as PromiseRejectedResult[])
    if (status === 'rejected') logFailure(deps.logger, 'error', reason, 'judged answers are not learned: trying again');
}
