// Estimates the Redis server's time without a command each time. All deadlines are by that clock, so that the clocks
// of replicas and clients don't matter.
import type { RedisClient } from './redis.ts';

const SYNC_INTERVAL_MS = 5000;

/**
 * How many replies a synchronisation takes. The one with the shortest round trip counts, since a delay, in a busy
 * process for example, makes the estimate worse.
 */
const SAMPLES = 5;

export interface RedisClock {
  /** The Redis server's time in ms since 1970, to within about the network's latency. */
  nowMs(): number;
  stop(): void;
}

/** Synchronises at once, after each reconnect, and every five seconds; in between it adds monotonic time. */
export function createRedisClock(redis: RedisClient): RedisClock {
  // This machine's own time is used until the first reply.
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
      // While Redis is away, the last offset stays in use.
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
