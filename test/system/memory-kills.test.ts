// The memory's writer, killed at its work. At length, and how late it is: npm run bench memory. [contract 13]
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startJudging } from '../support/judging.ts';
import { startService, type TestService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { loadTestVocabulary } from '../support/vocabulary.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

let stores: TestStores;
let service: TestService;

beforeAll(async () => {
  stores = await startStores();
  await loadTestVocabulary(stores.databaseUrl);
  service = await startService(stores);
});
afterAll(async () => {
  await service.stop();
  await stores.stop();
});

test('a worker that is killed while it writes loses and doubles nothing', async () => {
  const judging = await startJudging(service.services, 20);
  const start = () => startWorkerProcess(stores, { REDIS_CLUSTER: String(stores.isCluster) });
  let worker = await start();
  try {
    for (let kill = 0; kill < 2; kill++) {
      const before = await judging.written();
      const judged = judging.judge(2000);
      // Of some it is known that they are written, of others that they wait.
      await eventually(async () => expect(await judging.written()).toBeGreaterThan(before), {
        intervalMs: 10,
      });
      await worker.end('SIGKILL');
      await judged;
      worker = await start();
    }
    await eventually(async () => expect(await judging.faults()).toEqual([]), { timeoutMs: 60_000 });
  } finally {
    await worker.end('SIGKILL');
  }
});
