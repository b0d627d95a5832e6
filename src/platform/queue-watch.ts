// One look at all queues of a process instead of a wait at each of them: a queue is asked for a job
// only when one is due.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './logger.ts';
import { isOutage } from './outage.ts';
import { lookAt, type QueuePlace, type QueueState, slotOf } from './queue-look.ts';
import type { RedisClient } from './redis.ts';

/**
 * Jobs of all queues that are due between two of these moments are taken up together, so that they share
 * their trips to Redis, which are most of what a job costs. A delayed job is late by half of it.
 */
const TURN_MS = 10;

/** One queue, as one worker sees it. */
export interface Followed {
  /** Resolves at `atMs`, or earlier, when a look finds a job due. */
  untilDue(atMs: number): Promise<void>;
  /** Ends a wait, the present or the next one, at `atMs` at the latest: this process has made a job due then. */
  expect(atMs: number): void;
  /** Whether a wait is under way: whatever is due will end it. */
  isWaiting(): boolean;
  /** Whether anybody may hold a job of it, as of the last look. */
  mayBeActive(): boolean;
  /** Ends the wait. */
  wake(): void;
  /** Is not looked at any more. */
  end(): void;
}

export interface QueueWatch {
  /** @param everyMs how long a new job may lie unseen */
  follow(place: QueuePlace, everyMs: number): Followed;
}

interface Follower {
  place: QueuePlace;
  see(state: QueueState): void;
}

/**
 * @param connection one with role `jobs`, whose commands outwait an outage
 * @param nowMs the Redis server's time
 */
export function watchQueues(
  connection: RedisClient,
  logger: Logger,
  nowMs: () => number,
): QueueWatch {
  /** Those that are looked at together, by the slot and how often. */
  const groups = new Map<string, Set<Follower>>();

  async function keepLooking(
    name: string,
    followers: Set<Follower>,
    everyMs: number,
  ): Promise<void> {
    while (followers.size > 0) {
      await look([...followers]).catch((error: unknown) =>
        logger[isOutage(error) ? 'debug' : 'warn']({ err: error }, 'queues not looked at'),
      );
      await sleep(everyMs);
    }
    if (groups.get(name) === followers) groups.delete(name);
  }

  async function look(followers: Follower[]): Promise<void> {
    const states = await lookAt(
      connection,
      followers.map(({ place }) => place),
    );
    for (const follower of followers) follower.see(states.get(follower.place) as QueueState);
  }

  return {
    follow(place, everyMs) {
      const { see, ...followed } = createFollowed(nowMs);
      const follower = { place, see };
      const name = `${slotOf(connection, place)} ${everyMs}`;
      const group = groups.get(name);
      if (group) group.add(follower);
      else {
        const followers = new Set([follower]);
        groups.set(name, followers);
        void keepLooking(name, followers, everyMs);
      }
      return {
        ...followed,
        end() {
          groups.get(name)?.delete(follower);
          followed.wake();
        },
      };
    },
  };
}

function createFollowed(nowMs: () => number): Omit<Followed, 'end'> & Pick<Follower, 'see'> {
  let last: QueueState | null = null;
  let wait: { atMs: number; timer: NodeJS.Timeout; resolve(): void } | null = null;
  let expectedMs = Number.POSITIVE_INFINITY;

  function wake(): void {
    if (wait) clearTimeout(wait.timer);
    wait?.resolve();
    wait = null;
    // Whoever was woken asks, and learns what is due next.
    expectedMs = Number.POSITIVE_INFINITY;
  }
  function timerTo(atMs: number): NodeJS.Timeout {
    const fromMs = nowMs();
    const turnMs = Math.ceil(Math.max(atMs, fromMs + 1) / TURN_MS) * TURN_MS;
    return setTimeout(wake, turnMs - fromMs);
  }

  function shortenTo(atMs: number): void {
    if (!wait || atMs >= wait.atMs) return;
    clearTimeout(wait.timer);
    wait = { ...wait, atMs, timer: timerTo(atMs) };
  }

  return {
    wake,
    mayBeActive: () => last === null || last.active > 0,
    isWaiting: () => wait !== null,
    expect(atMs) {
      expectedMs = Math.min(expectedMs, atMs);
      shortenTo(atMs);
    },
    untilDue(atMs) {
      const firstMs = Math.min(atMs, expectedMs);
      wake();
      return new Promise((resolve) => {
        wait = { atMs: firstMs, timer: timerTo(firstMs), resolve };
      });
    },
    // Looks from before the wait don't count: what they saw the worker has asked for since.
    see(state) {
      last = state;
      if (state.dueMs !== null) shortenTo(state.dueMs);
    },
  };
}
