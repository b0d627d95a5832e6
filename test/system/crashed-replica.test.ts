// A replica that crashes does not use up the limits on its users' sockets for long. [contract 17]
import { afterAll, beforeAll, expect, it } from 'vitest';
import WebSocket from 'ws';
import { eventually } from '../support/eventually.ts';
import { type ReplicaStage, startReplicaProcesses } from '../support/replica-process.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { attemptUpgrade } from '../support/upgrade.ts';
import { createSignedInUser } from '../support/users.ts';

const PER_USER = 2;

let stores: TestStores;
let stage: ReplicaStage;
beforeAll(async () => {
  stores = await startStores();
  stage = await startReplicaProcesses(stores, 2, { SOCKETS_PER_USER_MAX: `${PER_USER}` });
});
afterAll(async () => {
  await stage.stop();
  await stores.stop();
});

it('a replica’s sockets count until at most 20 s after its crash, and as long as it runs', async () => {
  const { cookie } = await createSignedInUser(stage.services);
  const [crashing, other] = stage.replicas.map(({ url }) => `${url}/ws`) as [string, string];
  for (let count = 0; count < PER_USER; count++) {
    const socket = new WebSocket(crashing.replace('http', 'ws'), { headers: { cookie } });
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once('open', resolve));
  }
  const statusOf = async () => (await attemptUpgrade(other, { cookie })).status;
  // A socket's entry expires sooner if its replica does not renew it.
  for (const endMs = Date.now() + 17_000; Date.now() < endMs; ) {
    expect(await statusOf()).toBe(429);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  await stage.replicas[0]?.end('SIGKILL');
  const killedMs = Date.now();
  await eventually(async () => expect(await statusOf()).toBe(101), { timeoutMs: 60_000, intervalMs: 250 });
  expect(Date.now() - killedMs).toBeLessThan(20_000);
});
