// The queues' times: a game's clock is a delayed job.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createQueue } from '../../src/platform/queue.ts';
import { consume } from '../../worker/consume.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { startStores } from '../support/stores.ts';

test('a delayed job on an otherwise silent queue is done in its time, not a second later', async () => {
  const stores = await startStores();
  const { services, stop } = await startService(stores);
  const queue = createQueue<{ dueAtMs: number }>('late', services.redis, services.logger);
  const latenessesMs: number[] = [];
  const consumer = consume<{ dueAtMs: number }>(services, 'late', 1, async ({ data }) => {
    latenessesMs.push(Date.now() - data.dueAtMs);
  });
  try {
    for (let count = 1; count <= 5; count++) {
      await sleep(100);
      await queue.add('due', { dueAtMs: Date.now() + 200 }, { delay: 200 });
      await eventually(() => expect(latenessesMs).toHaveLength(count));
    }
    // The best of five, since the machine may be busy.
    expect(Math.min(...latenessesMs)).toBeLessThan(150);
  } finally {
    await consumer.close();
    await queue.close();
    await stop();
    await stores.stop();
  }
});
