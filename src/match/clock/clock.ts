// Each game has one clock: a delayed BullMQ job with the game's id, from just before the start to just after
// the end. The worker runs the job at a deadline and delays it to the next one (run-clock.ts). The deadline
// itself is a field of the game in Redis; the job only makes a worker look at it. [contract 5.5]
import type { Job, Queue } from 'bullmq';
import { z } from 'zod';
import { isOutage } from '../../platform/outages/outage.ts';
import { createQueue, type QueuePlace } from '../../platform/queues/queue.ts';
import type { Services } from '../../services.ts';
import type { PreparedMatch } from '../prepared-match.ts';

/** The name of every queue of clocks. They differ by their prefix. */
export const CLOCK_QUEUE = 'clock';

/** The delay of a new clock, in ms. A start that takes longer is completed by the clock's worker. */
const START_GRACE_MS = 1500;

/** The pause, in ms, after which a clock runs again that found a store away. */
export const RETRY_MS = 500;

/** The longest pause, in ms, between the runs of a clock that fails because of a defect. */
const RETRY_MAX_MS = 60_000;

export const ClockJob = z.object({
  lobbyId: z.uuid(),
  gameId: z.uuid(),
  /** The trace of the game's start. */
  traceparent: z.string().optional(),
  /** A PreparedMatch until the game is open; then null, since it is as large as the game itself. [contract 17] */
  prepared: z.unknown(),
  /** When the job is due, in ms since 1970, for the metric of the lag: BullMQ doesn't store that time. */
  dueMs: z.number().optional(),
});
export type ClockJob = z.output<typeof ClockJob>;

export type Clock = ReturnType<typeof createClock>;

/** @returns the queues, each with a hash tag of its own, so that the masters of a cluster share the load */
export function clockPlaces(count: number): QueuePlace[] {
  return Array.from({ length: count }, (_, index) => ({ name: CLOCK_QUEUE, prefix: `{quiz:clock:${index}}` }));
}

/** @returns the pause before the next run, in ms: short in an outage, exponentially longer after a defect */
export function clockRetryDelayMs(attemptsMade: number, error: unknown): number {
  if (isOutage(error)) return RETRY_MS;
  return Math.min(RETRY_MS * 2 ** (attemptsMade - 1), RETRY_MAX_MS);
}

/**
 * @param deps.nowMs the Redis server's time, so that a replica whose own clock is wrong schedules correctly
 * @param queueCount must be the same in all processes: a worker serves these queues and no others
 */
export function createClock(deps: Pick<Services, 'logger' | 'nowMs' | 'queueRedis'>, queueCount: number) {
  const { logger, nowMs } = deps;
  const queues = clockPlaces(queueCount).map((place) =>
    createQueue<ClockJob>(place, deps, {
      // A clock must not give up before its game is over.
      attempts: Number.MAX_SAFE_INTEGER,
      backoff: { type: 'custom' },
      stackTraceLimit: 1,
      // BullMQ ignores a new job with the id of one that it still has.
      removeOnComplete: true,
      removeOnFail: true,
    }),
  );

  // The ids of games are random, so that their first digits spread the games evenly.
  const queueOf = (gameId: string) => queues[Number.parseInt(gameId.slice(0, 8), 16) % queueCount] as Queue<ClockJob>;
  const find = async (gameId: string): Promise<Job<ClockJob> | undefined> => queueOf(gameId).getJob(gameId);

  const noted = (gameId: string, text: string) => (error: unknown) => logger.debug({ err: error, gameId }, text);

  async function add(data: ClockJob, delayMs: number): Promise<Job<ClockJob>> {
    const timestamp = nowMs();
    const options = { jobId: data.gameId, delay: delayMs, timestamp };
    return queueOf(data.gameId).add('run', { ...data, dueMs: timestamp + delayMs }, options);
  }

  return {
    /**
     * Schedules the clock of a game that is about to start.
     * @returns what removes the prepared game in the background; where that fails or is too late, the first run does
     */
    async schedule(prepared: PreparedMatch): Promise<() => void> {
      const { lobbyId, gameId, traceparent, durationMs } = prepared;
      // A round can be shorter than the grace.
      const delayMs = Math.min(START_GRACE_MS, durationMs);
      const job = await add({ lobbyId, gameId, traceparent, prepared }, delayMs);
      return () => {
        if (nowMs() >= (job.data.dueMs ?? 0)) return;
        job.updateData({ ...job.data, prepared: null }).catch(noted(gameId, 'clock not emptied'));
      };
    },
    /** Replaces the clock of a running game by one that is due at once. */
    async restore({ lobbyId, gameId }: { lobbyId: string; gameId: string }): Promise<void> {
      // BullMQ ignores a new job while it has remains of one with the same id.
      await queueOf(gameId).remove(gameId);
      await add({ lobbyId, gameId, prepared: null }, 0);
    },
    async findUnscheduled<Game extends { gameId: string }>(games: readonly Game[]): Promise<Game[]> {
      const ids = await Promise.all(queues.map((queue) => queue.getRanges(['delayed', 'waiting', 'active'], 0, -1)));
      const scheduled = new Set(ids.flat());
      return games.filter(({ gameId }) => !scheduled.has(gameId));
    },
    find,
    /** Changes the delay from now, in the background. Where that fails, a replica's reconciler ends the phase. */
    reschedule(gameId: string, delayMs: number): void {
      // BullMQ adds the delay to this machine's time, which may be wrong. It can't name a time that this
      // machine takes for past: then the job runs at once, and the worker delays it.
      const localDelayMs = nowMs() + delayMs - Date.now();
      find(gameId)
        .then((job) => (localDelayMs > 0 ? job?.changeDelay(localDelayMs) : job?.promote()))
        .catch(noted(gameId, 'clock not rescheduled'));
    },
    /** Removes the clock of a game that is over, in the background. A clock that runs at the moment stays. */
    remove(gameId: string): void {
      queueOf(gameId).remove(gameId, { removeChildren: false }).catch(noted(gameId, 'clock not removed'));
    },
    async close(): Promise<void> {
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}
