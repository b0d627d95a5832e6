// Judged answers on their way into the memory: one worker at a time takes them out of their queues, a few
// times a second. [contract 13: shown within 10 s]
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { learningMetrics } from '../src/learning/metrics.ts';
import { keepTurn, readQueues, timeOf } from '../src/learning/queue.ts';
import { type Written, writeReviews } from '../src/learning/write-reviews.ts';
import { readOnScrape } from '../src/platform/metrics.ts';
import { isOutage } from '../src/platform/outage.ts';
import { slotCount } from '../src/platform/slots.ts';
import type { Services } from '../src/services.ts';
import type { Consumer } from './consume.ts';

const PAUSE_MS = 500;
/** In so many turns every queue of a cluster was looked into: in 5 s. */
const TURNS_A_ROUND = 10;

/** Entries of a queue at once; after a failure fewer, in case that they were too many for a statement. */
const LIMIT = 2000;
const CAREFUL_LIMIT = 50;

type Deps = Pick<Services, 'db' | 'redis' | 'logger' | 'nowMs'>;

/** What was found in a turn's queues and is not written yet. */
interface Waiting {
  entries: number;
  oldestMs: number;
}

/** Starts it. */
export function startWritingReviews(deps: Deps): Consumer {
  const { redis, logger } = deps;
  const worker = randomUUID();
  const closing = new AbortController();
  const waiting = new Map<number, Waiting>();
  let limit = LIMIT;

  /** Writes all that waits in the queues of a turn. */
  async function drain(turn: number): Promise<void> {
    while (!closing.signal.aborted) {
      if (!(await keepTurn(redis, worker))) return waiting.clear();
      const entries = await readQueues(redis, slotsOf(deps, turn), limit);
      waiting.delete(turn);
      const [oldest] = entries;
      if (!oldest) return;
      waiting.set(turn, { entries: entries.length, oldestMs: timeOf(oldest.id) });
      const written = await writeReviews(deps, entries);
      if (!written) return;
      limit = LIMIT;
      note(deps, written);
    }
  }

  async function run(): Promise<void> {
    for (let turn = 0; !closing.signal.aborted; turn = (turn + 1) % turnsOf(deps)) {
      try {
        await drain(turn);
      } catch (error) {
        limit = CAREFUL_LIMIT;
        const level = isOutage(error) ? 'debug' : 'error';
        logger[level]({ err: error }, 'judged answers are not written: trying again');
      }
      await sleep(PAUSE_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  const stopMeasuring = readOnScrape(async () => {
    const now = deps.nowMs();
    const all = [...waiting.values()];
    learningMetrics.waiting.set(all.reduce((sum, { entries }) => sum + entries, 0));
    learningMetrics.lag.set(Math.max(0, ...all.map(({ oldestMs }) => now - oldestMs)) / 1000);
  });
  const running = run();
  return {
    async close() {
      closing.abort();
      await running;
      stopMeasuring();
    },
  };
}

function turnsOf({ redis }: Deps): number {
  return slotCount(redis) === 1 ? 1 : TURNS_A_ROUND;
}

/** @returns the slots whose queues a turn looks into: a single server has one, all are looked into in a round */
function slotsOf(deps: Deps, turn: number): number[] {
  const count = slotCount(deps.redis);
  const turns = turnsOf(deps);
  const from = Math.floor((turn * count) / turns);
  const to = Math.floor(((turn + 1) * count) / turns);
  return Array.from({ length: to - from }, (_, index) => from + index);
}

function note({ logger }: Deps, written: Written): void {
  learningMetrics.reviews.inc(written.answers);
  if (written.unreadable === 0) return;
  learningMetrics.unreadable.inc(written.unreadable);
  logger.error({ entries: written.unreadable }, 'judged answers could not be read');
}
