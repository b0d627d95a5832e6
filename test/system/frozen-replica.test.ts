// A replica that did not run for a while says so when it runs again.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type ReplicaStage, startReplicaProcesses } from '../support/replica-process.ts';
import { startStores, type TestStores } from '../support/stores.ts';

const FROZEN_MS = 5000;
const MESSAGE = 'this process did not run';

let stores: TestStores;
let stage: ReplicaStage;
beforeAll(async () => {
  stores = await startStores();
  stage = await startReplicaProcesses(stores, 1);
});
afterAll(async () => {
  await stage.stop();
  await stores.stop();
});

it('a replica that was stopped for five seconds logs afterwards, in one line, for how long', async () => {
  const [replica] = stage.replicas;
  const stalls = () =>
    (replica?.log() ?? '')
      .split('\n')
      .filter((line) => line.includes(MESSAGE))
      .map((line) => JSON.parse(line));
  // A busy machine may have stopped it before.
  const before = stalls().length;
  replica?.send('SIGSTOP');
  await sleep(FROZEN_MS);
  replica?.send('SIGCONT');
  const [stall] = await eventually(() => {
    const lines = stalls().slice(before);
    if (lines.length === 0) throw new Error('nothing is logged');
    return lines;
  });
  expect(stall).toMatchObject({ msg: MESSAGE, level: 40 });
  expect(stall.durationMs).toBeGreaterThanOrEqual(FROZEN_MS - 100);
  await sleep(1000);
  expect(stalls()).toHaveLength(before + 1);
});
