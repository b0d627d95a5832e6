// Whatever is lost between Redis and a replica is read from the lobby's log: every event once and in
// its order on every socket. [contract 5.9]
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { restoreLiveState } from '../../src/lobby/announce.ts';
import { channelOf, lobbyKeys } from '../../src/lobby/keys.ts';
import { updatePresence } from '../../src/lobby/presence.ts';
import type { Services } from '../../src/services.ts';
import { type Arena, startArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { answer, eventsOf, gameEventsOf, lastOf, lobbyIdOf } from '../support/game.ts';
import { expectSameMarks } from '../support/marks.ts';
import { createPlayer, gather, type Player, playerOf } from '../support/player.ts';
import { startService, type TestService } from '../support/service.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

let arena: Arena;
/** The way of the third replica to Redis; the other two have their own. */
let network: TcpProxy;
let far: TestService;
let ada: Player;
let ben: Player;
/** Ben's socket on the far replica. */
let watcher: Player;
let code: string;

beforeAll(async () => {
  const env = { BETTER_AUTH_SECRET: randomBytes(32).toString('hex'), ROUND_DURATION_MS: '3000' };
  arena = await startArena({ env });
  const { hostname: host, port } = new URL(arena.stores.redisUrl);
  network = await startTcpProxy({ host, port: Number(port) });
  far = await startService({ ...arena.stores, redisUrl: network.url('redis') }, env);
});
afterAll(async () => {
  await far.stop();
  await network.stop();
  await arena.stop();
});

beforeEach(async () => {
  [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
  // Of its size, so that the log reaches back behind the longest absence on a busy machine.
  code = await gather([ada, ben], { capacity: 50, settings: { rounds: 3 } });
  watcher = playerOf(ben.user, far.url);
  await watcher.connect();
  watcher.send({ type: 'lobby:join', code });
  // The snapshot, then the event of its own entering, of which everybody hears.
  const { seq } = await watcher.next('lobby:state');
  for (const player of [watcher, ada, ben])
    await player.next('lobby:state', (state) => state.seq === seq + 1);
});

const services = () => arena.replicas[0]?.services as Services;
const redis = () => services().redis as Redis;

async function makeEvents(count: number): Promise<void> {
  for (let made = 0; made < count; made++)
    await updatePresence(services(), lobbyIdOf(ada), 'add', [], 'always');
}

/** Plays a game of three rounds, on the near replicas. */
async function play(): Promise<void> {
  ada.send({ type: 'lobby:start' });
  for (const round of [1, 2, 3])
    for (const player of [ada, ben]) await answer(arena, player, round, 'right');
  await ada.next('game:finished');
}

/** From its snapshot on, one number after the other, up to the lobby's last; marked as for Ada. */
async function expectWhole(player: Player): Promise<void> {
  await eventually(() => expect(player.lastSeq()).toBe(ada.lastSeq()));
  const [snapshot, ...numbers] = eventsOf(player).map(({ seq }) => seq) as [number];
  expect(numbers).toEqual(numbers.map((_, index) => snapshot + 1 + index));
  expectSameMarks([eventsOf(player), eventsOf(ada)]);
}

/** The whole game, as Ada was told it. */
async function expectSameGame(player: Player): Promise<void> {
  await player.next('game:finished');
  await expectWhole(player);
  expect(gameEventsOf(player)).toEqual(gameEventsOf(ada));
}

describe('a replica gets every event, exactly once and in order, when', () => {
  it('a publish is lost: the next one fills the hole', async () => {
    const [lobby, log] = lobbyKeys(lobbyIdOf(ada));
    // As the scripts append it, without the publish.
    const seq = await redis().hincrby(lobby, 'seq', 1);
    const body = { seq, atMs: Date.now(), by: 'test', type: 'lobby:state', connected: [] };
    const roster = JSON.parse((await redis().hget(lobby, 'roster')) as string);
    await redis().xadd(log, `${seq}-0`, 'event', JSON.stringify({ ...body, lobby: roster }));
    await makeEvents(1);
    for (const player of [ada, ben, watcher]) {
      await player.next('lobby:state', (state) => state.seq === seq + 1);
      await expectWhole(player);
    }
  });

  it('a publish is lost and none follows: it is found all the same', async () => {
    const [lobby, log] = lobbyKeys(lobbyIdOf(ada));
    const seq = await redis().hincrby(lobby, 'seq', 1);
    const event = {
      seq,
      atMs: Date.now(),
      by: 'test',
      type: 'lobby:closed',
      code,
      reason: 'expired',
    };
    await redis().xadd(log, `${seq}-0`, 'event', JSON.stringify(event));
    for (const player of [ada, ben, watcher]) await player.next('lobby:closed');
  });

  it('its connections to Redis are broken while a whole game is played', async () => {
    await network.block();
    await play();
    expect(eventsOf(watcher).some(({ type }) => type === 'game:question')).toBe(false);
    await network.unblock();
    await expectSameGame(watcher);
  });

  it('its connections are cut again and again', async () => {
    const playing = play();
    for (let cut = 0; cut < 10; cut++) {
      network.cut();
      await eventually(() => expect(far.services.subscriber.status).toBe('ready'));
    }
    await playing;
    await expectSameGame(watcher);
  });

  it('its network is silent for a while', async () => {
    network.stall();
    await play();
    // Longer than a command may take.
    await sleep(2000);
    network.unstall();
    await expectSameGame(watcher);
  });

  it('the other end of its connections has lost its power', async () => {
    network.forsake();
    await play();
    await expectSameGame(watcher);
    // The subscription, too, is made anew as soon as an answer is missed on it.
    await far.services.subscriber.ssubscribe('another');
  });

  it('Redis ends all subscriptions', async () => {
    const playing = play();
    for (let kill = 0; kill < 5; kill++) await redis().call('CLIENT', 'KILL', 'TYPE', 'PUBSUB');
    await playing;
    for (const player of [ada, ben, watcher]) await expectSameGame(player);
  });

  it('Redis pauses everybody', async () => {
    await redis().call('CLIENT', 'PAUSE', 500, 'ALL');
    await play();
    for (const player of [ben, watcher]) await expectSameGame(player);
  });

  it('its subscription has fallen silent: that is noticed, and mended', async () => {
    const channel = channelOf(lobbyIdOf(ada));
    const subscribers = async () =>
      Number(((await redis().call('PUBSUB', 'SHARDNUMSUB', channel)) as unknown[])[1]);
    expect(await subscribers()).toBe(3);
    await far.services.subscriber.sunsubscribe();
    expect(await subscribers()).toBe(2);
    const seen = watcher.messages.length;
    await makeEvents(1);
    await watcher.next('lobby:state', () => true, seen);
    await eventually(
      async () => {
        await makeEvents(1);
        expect(await subscribers()).toBe(3);
      },
      { intervalMs: 500 },
    );
    await expectWhole(watcher);
  });
});

it('sockets that come and go in a stream of events get each exactly once, in order', async () => {
  const players = [watcher];
  for (let index = 0; index < 5; index++)
    players.push(playerOf(ben.user, index % 2 ? far.url : (arena.replicas[0]?.url as string)));
  let isOver = false;
  const comeAndGo = players.slice(1).map(async (player, index) => {
    let isIn = false;
    while (!isOver || !isIn) {
      player.drop();
      // While Redis is away nobody is let in.
      await eventually(() => player.connect());
      const [seen, last] = [player.messages.length, player.lastSeq()];
      player.send({ type: 'lobby:join', code, ...(seen > 0 ? lastOf(player) : {}) });
      // Redis can be away in the moment of the join: then the client is told, and tries again.
      const isRefused = () => player.messages.slice(seen).some(({ type }) => type === 'error');
      await eventually(() => {
        const isEnough = player.lastSeq() >= last + 10 + index;
        expect(isEnough || isRefused() || (isOver && player.lastSeq() > last)).toBe(true);
      });
      isIn = !isRefused();
    }
  });
  for (let batch = 0; batch < 10; batch++) {
    await makeEvents(30);
    if (batch % 3 === 0) network.cut();
  }
  isOver = true;
  await Promise.all(comeAndGo);
  await makeEvents(1);
  for (const player of players) await expectWhole(player);
});

it('when Redis has lost numbers and gives them anew, everybody gets the state of the moment', async () => {
  await makeEvents(5);
  await expectWhole(watcher);
  // What was snapshot or event a second ago may still be on its way: it is not taken for new.
  await sleep(1100);
  for (const count of [1, 5, 40]) {
    const seen = [ada, ben, watcher].map((player) => player.messages.length);
    await redis().flushall();
    const joiners = await Promise.all([1, 2].map(() => createPlayer(services(), far.url)));
    for (const joiner of joiners) await joiner.http.post(`/api/v1/lobbies/${code}/join`);
    await makeEvents(count);
    const ids = joiners.map(({ user }) => user.id);
    for (const [index, player] of [ada, ben, watcher].entries())
      await player.next(
        'lobby:state',
        ({ lobby }) => ids.every((id) => lobby.players.some(({ userId }) => userId === id)),
        seen[index],
      );
  }
});

it('a waiting lobby heals when Redis has lost everything', async () => {
  const seen = [ada, ben, watcher].map((player) => player.messages.length);
  await redis().flushall();
  // Who asks at once is not left without an answer.
  ben.send({ type: 'game:ready' });
  await ben.next('lobby:state', () => true, seen[1]);
  const carl = await createPlayer(services(), far.url, 'Carl');
  await carl.http.post(`/api/v1/lobbies/${code}/join`);
  await carl.connect();
  carl.send({ type: 'lobby:join', code });
  await carl.next('lobby:state', ({ lobby }) => lobby.players[2]?.connected === true);
  for (const [index, player] of [ada, ben, watcher].entries()) {
    const healed = await player.next(
      'lobby:state',
      ({ lobby }) => lobby.players.length === 3 && lobby.players[0]?.connected === true,
      seen[index],
    );
    expect(healed.lobby.players.map(({ name }) => name)).toEqual(['Ada', 'Ben', 'Carl']);
  }
  await ada.next('lobby:state', ({ lobby }) => lobby.players[1]?.connected === true, seen[0]);
  carl.send({ type: 'lobby:leave' });
  await ada.next('lobby:state', ({ lobby }) => lobby.players.length === 2, ada.messages.length);
  const before = watcher.messages.length;
  await play();
  await watcher.next('game:finished', () => true, before);
  expect(gameEventsOf(watcher)).toEqual(gameEventsOf(ada));
});

it('of a lobby that nobody knows any more nothing is kept', async () => {
  const lobbyId = randomUUID();
  const state = await restoreLiveState(services(), lobbyId, 7);
  expect(state).toMatchObject({ seq: 0, roster: null });
  expect(await redis().exists(...lobbyKeys(lobbyId))).toBe(0);
});
