// Learning survives the kill of a worker that writes it. `npm run bench memory` measures longer runs, and the
// delay. [contract 13]
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startJudging } from '../support/judging.ts';
import { startWorkerProcess } from '../support/replica-process.ts';
import { useService } from '../support/service.ts';

const { service, stores } = useService({}, { hasWords: true });

test('a worker that is killed during its writes loses and duplicates no answer', async () => {
  const judging = await startJudging(service.services, 20);
  const start = () => startWorkerProcess(stores, { REDIS_CLUSTER: String(stores.isCluster) });
  let worker = await start();
  try {
    for (let kill = 0; kill < 2; kill++) {
      const before = await judging.written();
      const judged = judging.judge(2000);
      // The worker is killed when it has written some answers and others wait.
      await eventually(async () => expect(await judging.written()).toBeGreaterThan(before), { intervalMs: 10 });
      await worker.end('SIGKILL');
      await judged;
      worker = await start();
    }
    await eventually(async () => expect(await judging.faults()).toEqual([]), { timeoutMs: 60_000 });
  } finally {
    await worker.end('SIGKILL');
  }
});
