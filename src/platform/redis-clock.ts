// The Redis server's time without asking it each time. Deadlines are by that clock, whatever the
// clocks of the replicas and of the clients say.
import type { RedisClient } from './redis.ts';

const SYNC_INTERVAL_MS = 5000;

/** The quickest of so many replies counts: a slow one, in a busy process say, tells the time wrongly. */
const SAMPLES = 5;

export interface RedisClock {
  /** The Redis server's time in ms since 1970, right to about the network's latency. */
  nowMs(): number;
  stop(): void;
}

/** Asks at once, whenever Redis is back, and every five seconds; in between the monotonic clock counts on. */
export function createRedisClock(redis: RedisClient): RedisClock {
  // Until the first reply this machine's own time has to do.
  let offsetMs = performance.timeOrigin;

  const sync = async () => {
    try {
      let quickestMs = Number.POSITIVE_INFINITY;
      for (let sample = 0; sample < SAMPLES; sample++) {
        const sentMs = performance.now();
        const [seconds, micros] = await redis.time();
        const tripMs = performance.now() - sentMs;
        if (tripMs >= quickestMs) continue;
        quickestMs = tripMs;
        offsetMs = Number(seconds) * 1000 + Number(micros) / 1000 - (sentMs + tripMs / 2);
      }
    } catch {
      // Away: the last offset still holds.
    }
  };
  void sync();
  redis.on('ready', sync);
  const timer = setInterval(sync, SYNC_INTERVAL_MS).unref();
  return {
    nowMs: () => Math.round(performance.now() + offsetMs),
    stop() {
      clearInterval(timer);
      redis.off('ready', sync);
    },
  };
}
