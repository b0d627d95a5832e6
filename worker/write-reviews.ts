// Judged answers on their way into the memory: one worker at a time takes them out of their queues, a few
// times a second. [contract 13: shown within 10 s]
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { learningMetrics } from '../src/learning/metrics.ts';
import {
  giveTurnUp,
  type JudgedEntry,
  keepTurn,
  readQueues,
  timeOf,
} from '../src/learning/queue.ts';
import { type Written, writeReviews } from '../src/learning/write-reviews.ts';
import { readOnScrape } from '../src/platform/metrics.ts';
import { isOutage } from '../src/platform/outage.ts';
import { gatheredSlots, slotCount } from '../src/platform/slots.ts';
import type { Services } from '../src/services.ts';
import type { Consumer } from './consume.ts';

const PAUSE_MS = 500;
/** On a cluster, while nothing is found: to look costs a command a queue. */
const IDLE_PAUSE_MS = 3500;

/** A writer that is so late is dead, or as good as that. */
const GRACE_MS = 1500;

/** Entries at once; after a failure fewer, in case that they were too many for a statement. */
const LIMIT = 6000;
const CAREFUL_LIMIT = 50;

/**
 * Of a cluster's other slots so many a look, in turn: the release before named its games as it liked.
 */
const OTHERS_A_LOOK = 16;

type Deps = Pick<Services, 'db' | 'redis' | 'logger' | 'nowMs'>;

/** Starts it. */
export function startWritingReviews(deps: Deps): Consumer {
  const { redis, logger } = deps;
  const worker = randomUUID();
  const closing = new AbortController();
  const slots = new Set(gatheredSlots(redis));
  const idlePauseMs = slotCount(redis) === 1 ? PAUSE_MS : IDLE_PAUSE_MS;
  let waiting: JudgedEntry[] = [];
  let limit = LIMIT;
  let other = 0;

  /** @returns where to look; a slot in which something was found stays among them */
  function nextSlots(): number[] {
    const others = Array.from({ length: OTHERS_A_LOOK }, () => other++ % slotCount(redis));
    return [...new Set([...slots, ...others])];
  }

  /** Writes what waits. @returns how long there will be nothing to do, ms */
  async function look(): Promise<number> {
    if (!(await keepTurn(redis, worker, idlePauseMs + GRACE_MS))) {
      waiting = [];
      return PAUSE_MS;
    }
    const found = await readQueues(redis, nextSlots(), limit);
    waiting = found.entries;
    if (waiting.length === 0) return idlePauseMs;
    for (const { slot } of waiting) slots.add(slot);
    while (waiting.length > 0 && !closing.signal.aborted) {
      const written = await writeReviews(deps, waiting);
      if (!written) return PAUSE_MS;
      waiting = waiting.slice(written.entries);
      limit = LIMIT;
      note(deps, written);
    }
    return found.isCut ? 0 : PAUSE_MS;
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const pauseMs = await look().catch((error) => {
        limit = CAREFUL_LIMIT;
        const level = isOutage(error) ? 'debug' : 'error';
        logger[level]({ err: error }, 'judged answers are not written: trying again');
        return PAUSE_MS;
      });
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  const stopMeasuring = readOnScrape(async () => {
    const [oldest] = waiting;
    learningMetrics.waiting.set(waiting.length);
    learningMetrics.lag.set(oldest ? (deps.nowMs() - timeOf(oldest.id)) / 1000 : 0);
  });
  const running = run();
  return {
    async close() {
      closing.abort();
      await running;
      await giveTurnUp(redis, worker).catch(() => undefined);
      stopMeasuring();
    },
  };
}

function note({ logger }: Deps, written: Written): void {
  learningMetrics.reviews.inc(written.answers);
  if (written.unreadable === 0) return;
  learningMetrics.unreadable.inc(written.unreadable);
  logger.error({ entries: written.unreadable }, 'judged answers could not be read');
}
