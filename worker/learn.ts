// Learning: every few seconds each worker reads the finished games and answered quizzes that are not learned
// yet, and updates the memory of their players. Several workers may do so at once. [contract 13: shown within
// 10 s]
import { setTimeout as sleep } from 'node:timers/promises';
import { findOldestUnlearnedAnswer, learnAttempts } from '../src/assignments/learn-attempts.ts';
import type { CommonServices } from '../src/common-services.ts';
import { findOldestUnlearned, learnGames } from '../src/learning/learn-games.ts';
import { learnQuizzes, type UnlearnedQuiz } from '../src/learning/learn-quizzes.ts';
import { retryAfterHandOver } from '../src/learning/learners.ts';
import { learningMetrics } from '../src/learning/metrics.ts';
import { readOnScrape } from '../src/platform/observability/metrics.ts';
import { logFailure } from '../src/platform/outages/outage-log.ts';
import { findUnlearnedQuizzes, forgetLearned } from '../src/singleplayer/unlearned-quizzes.ts';
import type { Consumer } from './queues.ts';

/**
 * The pause between two turns, ms: a fraction of the contract's ten seconds, and long enough to form batches.
 */
const LEARN_INTERVAL_MS = 2000;

type LearnDeps = Pick<CommonServices, 'db' | 'redis' | 'logger' | 'nowMs'>;

export function startLearning(deps: LearnDeps): Consumer {
  const closing = new AbortController();
  const oldestMs: Oldest = { ...NOTHING_WAITS };
  const stopMeasuring = readOnScrape(async () => {
    const times = Object.values(oldestMs).filter((ms) => ms !== null);
    const lagMs = times.length > 0 ? deps.nowMs() - Math.min(...times) : 0;
    learningMetrics.lag.set(Math.max(0, lagMs) / 1000);
  });

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await learn(deps, oldestMs, closing.signal);
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

/**
 * Since when the oldest game, quiz and attempt of an assignment wait to be learned, ms since 1970; null where there is
 * none.
 */
type Oldest = Record<'game' | 'quiz' | 'attempt', number | null>;

const NOTHING_WAITS: Oldest = { game: null, quiz: null, attempt: null };

/** Learns all games, quizzes and attempts. A failure of one kind doesn't stop the others. */
export async function learn(
  deps: LearnDeps,
  oldestMs: Oldest = { ...NOTHING_WAITS },
  closing?: AbortSignal,
): Promise<void> {
  const attempts = [
    learnAllGames(deps, oldestMs, closing),
    learnAllQuizzes(deps, oldestMs, closing),
    learnAllAttempts(deps, oldestMs, closing),
  ];
  for (const { status, reason } of (await Promise.allSettled(attempts)) as PromiseRejectedResult[])
    if (status === 'rejected') logFailure(deps.logger, 'error', reason, 'judged answers are not learned: trying again');
}

async function learnAllGames({ db, logger }: LearnDeps, oldestMs: Oldest, closing?: AbortSignal) {
  while (!closing?.aborted) {
    oldestMs.game = (await findOldestUnlearned(db))?.getTime() ?? null;
    if (oldestMs.game === null) return;
    const { games, reviews, unreadable } = await retryAfterHandOver(() => learnGames(db));
    note(logger, reviews, unreadable);
    // Other workers have locked the games that are left.
    if (games === 0) return;
  }
}

async function learnAllAttempts({ db, logger }: LearnDeps, oldestMs: Oldest, closing?: AbortSignal) {
  while (!closing?.aborted) {
    oldestMs.attempt = (await findOldestUnlearnedAnswer(db))?.getTime() ?? null;
    if (oldestMs.attempt === null) return;
    const { attempts, reviews, unreadable } = await retryAfterHandOver(() => learnAttempts(db));
    note(logger, reviews, unreadable);
    if (attempts === 0) return;
  }
}

async function learnAllQuizzes(deps: LearnDeps, oldestMs: Oldest, closing?: AbortSignal) {
  while (!closing?.aborted) {
    const { quizzes, hasMore, ...found } = await findUnlearnedQuizzes(deps.redis);
    oldestMs.quiz = found.oldestMs;
    await learnThese(deps, quizzes, closing);
    if (!hasMore) break;
  }
  oldestMs.quiz = null;
}

async function learnThese(
  { db, redis, logger }: LearnDeps,
  quizzes: readonly UnlearnedQuiz[],
  closing?: AbortSignal,
): Promise<void> {
  for (let waiting = quizzes; waiting.length > 0 && !closing?.aborted; ) {
    const some = waiting;
    const learned = await retryAfterHandOver(() => learnQuizzes(db, some));
    await forgetLearned(redis, some.slice(0, learned.quizzes));
    note(logger, learned.reviews, learned.unreadable);
    waiting = some.slice(learned.quizzes);
  }
}

function note(logger: LearnDeps['logger'], reviews: number, unreadable: number): void {
  learningMetrics.reviews.inc(reviews);
  if (unreadable === 0) return;
  learningMetrics.unreadable.inc(unreadable);
  logger.error({ unreadable }, 'judged answers could not be read');
}
