// The clocks of one queue: taken up as they become due, and put off to the deadlines that then stand.
import { ClockJob, RETRY_MS } from '../src/match/clock.ts';
import { putOff, type TakenClock, takeUp } from '../src/match/clock-store.ts';
import { tick } from '../src/match/tick.ts';
import { countOutage } from '../src/platform/outage-log.ts';
import type { QueuePlace } from '../src/platform/queue-look.ts';
import type { Followed } from '../src/platform/queue-watch.ts';
import type { Services } from '../src/services.ts';
import type { Consumer } from './consume.ts';

/** So many are held at once, that no game waits for another one's slow store. */
const HELD_MAX = 1000;

/** Taken up at once. What a busy worker leaves, others may take, and the lag shows. */
const TAKEN_AT_ONCE = 20;

/** With no clock in sight, look after so long, ms, though nothing says that there is one. */
const LOOK_ANYWAY_MS = 60_000;

/** Starts it. */
export function strikeClocks(services: Services, place: QueuePlace, followed: Followed): Consumer {
  const { clock, logger, nowMs, redis } = services;
  const held = new Map<string, TakenClock>();
  const underWay = new Set<Promise<void>>();
  let isClosed = false;

  /** The game's clock fires. Where that fails, it fires again when it counts as held no longer. */
  async function strike(taken: TakenClock): Promise<void> {
    const job = ClockJob.parse(JSON.parse(taken.data));
    const { standing, isStarted } = await tick(services, job);
    if (standing.state !== 'open') return clock.remove(place, taken.gameId);
    const data = job.plan && isStarted ? JSON.stringify({ ...job, plan: null }) : undefined;
    followed.expect(standing.deadlineMs);
    await putOff(redis, taken, standing.deadlineMs, data);
  }

  function start(taken: TakenClock): void {
    const { gameId, score } = taken;
    const before = held.get(gameId);
    // It takes long, and was taken up once more meanwhile: so it is held for longer.
    if (before) {
      before.score = score;
      return;
    }
    held.set(gameId, taken);
    const ended = strike(taken)
      .catch((error: unknown) => {
        if (!countOutage(logger, error)) logger.error({ err: error, gameId }, 'a clock failed');
      })
      .finally(() => {
        held.delete(gameId);
        underWay.delete(ended);
      });
    underWay.add(ended);
  }

  /** @returns when to look again, ms by the Redis server's clock */
  async function takeDue(): Promise<number> {
    const limit = Math.min(TAKEN_AT_ONCE, HELD_MAX - held.size);
    const { taken, nextMs } = await takeUp(redis, place, limit);
    for (const each of taken) start(each);
    return Math.min(nextMs, nowMs() + LOOK_ANYWAY_MS);
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      const nextMs = await takeDue().catch((error: unknown) => {
        if (!countOutage(logger, error)) logger.error({ err: error }, 'clocks not taken up');
        return nowMs() + RETRY_MS;
      });
      if (!isClosed) await followed.untilDue(nextMs);
    }
  }
  const running = run();

  return {
    async close() {
      isClosed = true;
      followed.end();
      await running;
      await Promise.all(underWay);
    },
  };
}
