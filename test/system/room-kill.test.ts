// A compact room outlives one of its replicas: everybody is back soon, and nothing is lost or doubled. [contract 19]
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { prove } from '../../src/tools/prove/prove.ts';
import { startJobs } from '../../worker/jobs.ts';
import type { Consumer } from '../../worker/queues.ts';
import { type Balancer, startBalancer } from '../support/balancer.ts';
import { eventually } from '../support/eventually.ts';
import { type ReplicaStage, startReplicaProcesses } from '../support/replica-process.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { writeAccounts } from '../support/users.ts';

const PLAYERS = 60;
/** The time from the start of the game until the crash, ms: players answer within the first three seconds of a round. */
const MID_ROUND_MS = 1500;

let stores: TestStores;
let stage: ReplicaStage;
let jobs: Consumer;
let balancer: Balancer;
beforeAll(async () => {
  stores = await startStores({ hasWords: true });
  stage = await startReplicaProcesses(stores, 2, { SOCKETS_PER_ADDRESS_MAX: '1000' });
  jobs = startJobs(stage.services);
  balancer = await startBalancer(stage.replicas.map(({ url }) => Number(new URL(url).port)));
});
afterAll(async () => {
  await balancer?.stop();
  await jobs?.close();
  await stage?.stop();
  await stores?.stop();
});

it('a compact room whose replica is killed in mid-round loses and doubles nothing', async () => {
  const { services, replicas } = stage;
  const folder = mkdtempSync(join(inject('temporaryFolder'), 'room-'));
  const proving = prove({
    url: balancer.url,
    players: PLAYERS,
    room: PLAYERS,
    games: 1,
    durationMs: 0,
    roundMs: 20_000,
    everyMs: 1000,
    lateMaxMs: 60_000,
    file: await writeAccounts(services, folder, PLAYERS),
    signal: new AbortController().signal,
  });
  await eventually(async () => {
    expect(await services.db.lobby.count({ where: { status: 'running' } })).toBe(1);
  });
  await sleep(MID_ROUND_MS);
  await replicas[0]?.end('SIGKILL');
  const { violations, rooms, reconnects } = await proving;
  expect(violations).toEqual([]);
  expect(reconnects).toBeGreaterThanOrEqual(PLAYERS / 2 - 1);
  expect(rooms).toMatchObject([{ players: PLAYERS }]);
  expect(await services.db.game.findMany({ select: { compact: true } })).toEqual([{ compact: true }]);
});
