// A replica that crashes does not use up the limits on its users' sockets for long, nor do rounds wait long for them.
// [contract 17, 25]
import { afterAll, beforeAll, expect, it } from 'vitest';
import WebSocket from 'ws';
import { readWholeLog } from '../../src/lobby/event-log.ts';
import { startJobs } from '../../worker/jobs.ts';
import type { Consumer } from '../../worker/queues.ts';
import { eventually } from '../support/eventually.ts';
import { lobbyIdOf } from '../support/game.ts';
import { createPlayer, gather } from '../support/player.ts';
import { type ReplicaStage, startReplicaProcesses } from '../support/replica-process.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { attemptUpgrade } from '../support/upgrade.ts';
import { createSignedInUser } from '../support/users.ts';

const PER_USER = 2;

let stores: TestStores;
let stage: ReplicaStage;
let jobs: Consumer;
beforeAll(async () => {
  stores = await startStores({ hasWords: true });
  stage = await startReplicaProcesses(stores, 2, { SOCKETS_PER_USER_MAX: `${PER_USER}` });
  jobs = startJobs(stage.services);
});
afterAll(async () => {
  await jobs.close();
  await stage.stop();
  await stores.stop();
});

it('a replica’s sockets count until at most 20 s after its crash, as long as it runs, and end rounds within 27 s', async () => {
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
  // In one game everybody plays on this replica, and nobody comes back; in the other one a player is elsewhere.
  const games = [await startGame(stage.replicas[0]?.url), await startGame(stage.replicas[1]?.url)];
  await stage.replicas[0]?.end('SIGKILL');
  const killedMs = Date.now();
  const reasonsOf = async () =>
    (await Promise.all(games.map((lobbyId) => readWholeLog(stage.services.redis, lobbyId))))
      .flat()
      .flatMap(({ type, reason }) => (type === 'game:answer_result' ? [reason] : []));
  await eventually(async () => expect(await statusOf()).toBe(101), { timeoutMs: 60_000, intervalMs: 250 });
  expect(Date.now() - killedMs).toBeLessThan(20_000);
  await eventually(async () => expect(await reasonsOf()).toHaveLength(2), { timeoutMs: 60_000, intervalMs: 250 });
  expect(await reasonsOf()).toEqual(['all_answered', 'all_answered']);
  expect(Date.now() - killedMs).toBeLessThan(27_000);
});

/**
 * Starts a game with rounds of five minutes that wait for present players alone. Its host has answered, and the other
 * player, on the first replica, has not.
 * @param hostUrl the host's replica
 * @returns the lobby's id
 */
async function startGame(hostUrl = ''): Promise<string> {
  const { services, replicas } = stage;
  const [host, other] = await Promise.all(
    ['Ada', 'Ben'].map((name) => createPlayer(services, replicas[0]?.url ?? '', name)),
  );
  if (!host || !other) throw new Error('no players');
  await host.connect(hostUrl);
  await other.connect();
  const settings = { waitFor: 'present', roundMs: 300_000, rounds: 2 };
  await gather([host, other], { settings });
  host.send({ type: 'lobby:start' });
  const { question } = await host.next('game:question');
  await host.acked({ type: 'game:answer', questionId: question.questionId, optionId: 0 });
  return lobbyIdOf(host);
}
