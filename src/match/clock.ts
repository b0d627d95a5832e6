// One clock a game: a BullMQ job, its id the game's, from just before the start to just after the
// end. It fires at a deadline, resolves what is overdue, retries what is unfinished, and is put off
// to the deadline that now stands: tick.ts. Deadlines are data; this only wakes. [contract 5.5]
import type { Job, JobsOptions, Queue } from 'bullmq';
import { z } from 'zod';
import { ROUND_MS } from '../lobby/schema.ts';
import { createQueue, type QueueDeps } from '../platform/queue.ts';
import type { QueuePlace } from '../platform/queue-look.ts';
import { loadScript, runScript } from '../platform/scripts.ts';
import { createClockQueues } from './clock-queues.ts';
import type { MatchPlan } from './plan.ts';

/** How long a start may take before the clock looks whether it has to carry it out. */
const START_GRACE_MS = 1500;

/**
 * How long a new clock may lie unseen: no first deadline is nearer than twice that.
 * @param roundDurationMs how long a round of a lobby lasts that does not say so itself
 */
export function clockLookMs(roundDurationMs: number): number {
  return Math.min(START_GRACE_MS, ROUND_MS.min, roundDurationMs) / 2;
}

const sleeplessScript = loadScript(new URL('lua/find-sleepless.lua', import.meta.url));

/** How long the clock waits when a store is away. */
export const RETRY_MS = 500;

/**
 * What a clock's job carries. The plan is there until the game is open; it is as large as all the rest of
 * the game, and so read only by who has to open it.
 */
export const ClockJob = z.object({
  lobbyId: z.uuid(),
  gameId: z.uuid(),
  /** The trace of the start. */
  traceparent: z.string().optional(),
  /** A MatchPlan, or null. */
  plan: z.unknown(),
});
export type ClockJob = z.output<typeof ClockJob>;

export interface Clock {
  /** Winds the clock of a game that is about to start. */
  wind(plan: MatchPlan): Promise<void>;
  /** @returns those of these games whose clock may need to be wound anew: all but those whose clock sleeps */
  sleepless<Game extends { gameId: string }>(games: readonly Game[]): Promise<Game[]>;
  /** Winds the clock of a running game anew if it has none that strikes. @returns whether it had none */
  rewind(game: { lobbyId: string; gameId: string }): Promise<boolean>;
  /** @returns a game's clock, if it has one */
  find(gameId: string): Promise<Job<ClockJob> | undefined>;
  /** All queues that clocks may be in; each call returns the same objects. */
  places(): Promise<QueuePlace[]>;
  /**
   * Lets a sleeping clock fire earlier, in the background: where that fails, those who look after
   * lobbies find what is overdue.
   * @param deadlineMs by the Redis server's clock
   */
  hasten(gameId: string, deadlineMs: number): void;
  /** Takes a clock away whose game is over. */
  remove(place: QueuePlace, gameId: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param deps.redis a `commands` connection
 * @param deps.nowMs the starter's own clock may be wrong, and nobody else would open the game before
 *   that clock says so
 * @param queueCount over how many queues this process spreads the clocks
 */
export function createClock(deps: QueueDeps, queueCount: number): Clock {
  const { redis, logger, nowMs } = deps;
  const queues = createClockQueues(redis, queueCount);
  const opened = new Map<QueuePlace, Queue<ClockJob>>();

  function queueAt(place: QueuePlace): Queue<ClockJob> {
    const queue = opened.get(place) ?? openQueue(place, deps);
    opened.set(place, queue);
    return queue;
  }
  const has = async (place: QueuePlace, gameId: string) =>
    (await redis.exists(queueAt(place).toKey(gameId))) > 0;

  async function placeHolding(gameId: string): Promise<QueuePlace | undefined> {
    const own = queues.placeOf(gameId);
    if (await has(own, gameId)) return own;
    for (const place of await queues.otherPlacesOf(gameId))
      if (await has(place, gameId)) return place;
    return undefined;
  }

  /**
   * Takes away what would swallow the new clock.
   * @returns what is needed of it where nobody has opened the game yet; undefined if it is in the hands of a
   * worker of the release before, which takes clocks up as BullMQ does
   */
  async function takePlan(place: QueuePlace, gameId: string): Promise<unknown> {
    const queue = queueAt(place);
    const left = await queue.getJob(gameId);
    const isTaken = await queue.remove(gameId);
    return isTaken ? (left?.data.plan ?? null) : undefined;
  }

  async function add(job: ClockJob, options: JobsOptions): Promise<void> {
    const { gameId } = job;
    await queues.tell();
    await queueAt(queues.placeOf(gameId)).add('tick', job, { ...options, jobId: gameId });
  }

  async function find(gameId: string): Promise<Job<ClockJob> | undefined> {
    const place = await placeHolding(gameId);
    return place && queueAt(place).getJob(gameId);
  }

  return {
    wind(plan) {
      const { lobbyId, gameId, traceparent } = plan;
      // Not after the first deadline, however short the rounds are.
      const delay = Math.min(START_GRACE_MS, plan.durationMs);
      return add({ lobbyId, gameId, traceparent, plan }, { delay, timestamp: nowMs() });
    },
    // All running games are asked about every few seconds: by one command a queue.
    async sleepless(games) {
      const groups = Map.groupBy(games, ({ gameId }) => queues.placeOf(gameId));
      const sleepless = await Promise.all(
        [...groups].map(async ([place, games]) => {
          const queue = queueAt(place);
          const ids = games.map(({ gameId }) => gameId);
          const args = [queue.toKey(''), ...ids];
          const found = await runScript(redis, sleeplessScript, [queue.toKey('delayed')], args);
          return (found as number[]).map((at) => games[at - 1] as (typeof games)[number]);
        }),
      );
      return sleepless.flat();
    },
    async rewind({ lobbyId, gameId }) {
      const place = await placeHolding(gameId);
      if (place && (await queueAt(place).getJobState(gameId)) === 'delayed') return false;
      const plan = place ? await takePlan(place, gameId) : null;
      if (plan === undefined) return false;
      await add({ lobbyId, gameId, plan }, { delay: 1, timestamp: nowMs() });
      return true;
    },
    find,
    hasten(gameId, deadlineMs) {
      find(gameId)
        .then((job) => job?.changeDelay(Math.max(0, deadlineMs - nowMs())))
        .catch((error: unknown) => logger.debug({ err: error, gameId }, 'no clock was hastened'));
    },
    places: queues.all,
    async remove(place, gameId) {
      await queueAt(place).remove(gameId, { removeChildren: false });
    },
    async close() {
      await Promise.all([...opened.values()].map((queue) => queue.close()));
    },
  };
}

function openQueue(place: QueuePlace, deps: QueueDeps): Queue<ClockJob> {
  return createQueue<ClockJob>(place, deps, {
    // A worker of the release before must not give it up: it ends only when its game is over.
    attempts: Number.MAX_SAFE_INTEGER,
    backoff: { type: 'fixed', delay: RETRY_MS },
    removeOnFail: true,
  });
}
