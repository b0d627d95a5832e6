// One clock a game: a BullMQ job, its id the game's, from just before the start to just after the
// end. It fires at a deadline, resolves what is overdue, retries what is unfinished, and puts itself
// to the deadline that now stands: tick.ts. Deadlines are data; this only wakes. [contract 5.5]
import type { Queue } from 'bullmq';
import { z } from 'zod';
import type { Logger } from '../platform/logger.ts';
import { createQueue } from '../platform/queue.ts';
import type { RedisClient } from '../platform/redis.ts';
import { MatchPlan } from './plan.ts';

export const CLOCK_QUEUE = 'clock';

/** How long a start may take before the clock looks whether it has to carry it out. */
const START_GRACE_MS = 1500;

/** How long the clock waits when a store is away. */
export const RETRY_MS = 500;

/** What a clock's job carries; the plan is missing where the sweeper had to wind a new one. */
export const ClockJob = z.object({
  lobbyId: z.uuid(),
  gameId: z.uuid(),
  plan: MatchPlan.nullable(),
});
export type ClockJob = z.output<typeof ClockJob>;

export interface Clock {
  /** Winds the clock of a game that is about to start. */
  wind(plan: MatchPlan): Promise<void>;
  /** Winds the clock of a running game anew if it has none. @returns whether it had none */
  rewind(game: { lobbyId: string; gameId: string }): Promise<boolean>;
  /** Clock jobs by state, for metrics. */
  queue: Queue<ClockJob>;
  close(): Promise<void>;
}

/**
 * @param connection a `commands` connection
 * @param nowMs the Redis server's time: the starter's own clock may be wrong, and nobody else would
 *   open the game before that clock says so
 */
export function createClock(connection: RedisClient, logger: Logger, nowMs: () => number): Clock {
  const queue = createQueue<ClockJob>(CLOCK_QUEUE, connection, logger, {
    // It must outlive everything: it ends only when its game is over.
    attempts: Number.MAX_SAFE_INTEGER,
    backoff: { type: 'fixed', delay: RETRY_MS },
    removeOnFail: true,
  });
  return {
    queue,
    async wind(plan) {
      const { lobbyId, gameId } = plan;
      // Not after the first deadline, however short the rounds are.
      const delay = Math.min(START_GRACE_MS, plan.durationMs);
      const options = { jobId: gameId, delay, timestamp: nowMs() };
      await queue.add('tick', { lobbyId, gameId, plan }, options);
    },
    async rewind({ lobbyId, gameId }) {
      // All running games are asked about every few seconds: not for the whole job.
      if (await connection.exists(queue.toKey(gameId))) return false;
      await queue.add('tick', { lobbyId, gameId, plan: null }, { jobId: gameId });
      return true;
    },
    close: () => queue.close(),
  };
}
