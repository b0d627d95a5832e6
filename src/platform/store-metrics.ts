// Whether the stores answer this process. Each says so for itself, so that one can tell a store that
// is down from a node that is cut off.
import { gauge, readOnScrape } from './metrics.ts';
import type { Database } from './postgres.ts';
import type { RedisClient } from './redis.ts';
import { withTimeout } from './timeout.ts';

const up = gauge('quiz_store_up', 'Whether a store answers this process: 1, or 0.', ['store']);

/** As a request would wait. */
const TIMEOUT_MS = 2000;

/** Asks both stores whenever the metrics are read. @returns what ends it */
export function watchStores({ db, redis }: { db: Database; redis: RedisClient }): () => void {
  async function ask(store: string, question: Promise<unknown>): Promise<void> {
    const isUp = await withTimeout(question, TIMEOUT_MS).then(
      () => 1,
      () => 0,
    );
    up.set({ store }, isUp);
  }
  return readOnScrape(async () => {
    await Promise.all([ask('postgres', db.$queryRaw`SELECT 1`), ask('redis', redis.ping())]);
  });
}
