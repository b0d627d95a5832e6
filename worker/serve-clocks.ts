// All queues that clocks of games may be in, served by this process: also those that others began to use
// after it had started.
import { clockLookMs } from '../src/match/clock.ts';
import { isOutage } from '../src/platform/outage.ts';
import type { JobSource } from '../src/platform/queue.ts';
import type { QueuePlace } from '../src/platform/queue-look.ts';
import type { Services } from '../src/services.ts';
import type { Consumer } from './consume.ts';
import { strikeClocks } from './strike-clocks.ts';

/** How often to look for further queues. */
const SEARCH_EVERY_MS = 2000;

/** Starts it. */
export function serveClocks(services: Services, { watch }: JobSource): Consumer {
  const { clock, config, logger } = services;
  const consumers = new Map<QueuePlace, Consumer>();
  const lookEveryMs = clockLookMs(config.roundDurationMs);
  let isClosed = false;

  async function serveAll(): Promise<void> {
    for (const place of await clock.places()) {
      if (isClosed || consumers.has(place)) continue;
      consumers.set(place, strikeClocks(services, place, watch.follow(place, lookEveryMs)));
    }
  }
  const search = () =>
    serveAll().catch((error: unknown) =>
      logger[isOutage(error) ? 'debug' : 'warn']({ err: error }, 'queues of clocks not searched'),
    );
  void search();
  const searching = setInterval(search, SEARCH_EVERY_MS);

  return {
    async close() {
      isClosed = true;
      clearInterval(searching);
      await Promise.all([...consumers.values()].map((consumer) => consumer.close()));
    },
  };
}
