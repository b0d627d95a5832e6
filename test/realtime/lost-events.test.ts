// Events that are lost between Redis and a replica are read from the lobby's log, so that every socket gets
// each event once and in order. [contract 5.9]
import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { beforeEach, describe, expect, it } from 'vitest';
import { channelOf, lobbyKeys } from '../../src/lobby/keys.ts';
import { useFarReplica } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { answer, appendEvents, eventsOf, expectSameMarks, gameEventsOf, lobbyIdOf } from '../support/game.ts';
import { createPlayer, gather, type Player, postUntilDone } from '../support/player.ts';

const { arena, network, far, watch } = useFarReplica({ ROUND_DURATION_MS: '3000' });
let ada: Player;
let ben: Player;
/** Ben's socket on the far replica. */
let watcher: Player;
let code: string;

beforeEach(async () => {
  [ada, ben] = await arena.players('Ada', 'Ben');
  // The capacity extends the log, which must reach back to before the longest absence on a busy machine.
  code = await gather([ada, ben], { capacity: 50, settings: { rounds: 3 } });
  watcher = await watch(ben, code, [ada, ben]);
});

const redis = () => arena.services.redis as Redis;

const makeEvents = (count: number) => appendEvents(arena.services, lobbyIdOf(ada), count);

/** Plays a game of three rounds on the near replicas. */
async function play(): Promise<void> {
  ada.send({ type: 'lobby:start' });
  for (const round of [1, 2, 3]) for (const player of [ada, ben]) await answer(arena, player, round, 'right');
  await ada.next('game:finished');
}

/** Expects the events from the player's snapshot to the lobby's last without a gap, with the same marks as Ada's. */
async function expectWhole(player: Player): Promise<void> {
  await eventually(() => expect(player.lastSeq()).toBe(ada.lastSeq()));
  const [snapshot, ...numbers] = eventsOf(player).map(({ seq }) => seq) as [number];
  expect(numbers).toEqual(numbers.map((_, index) => snapshot + 1 + index));
  expectSameMarks([eventsOf(player), eventsOf(ada)]);
}

/** Expects the same game events as Ada's. */
async function expectSameGame(player: Player): Promise<void> {
  await player.next('game:finished');
  await expectWhole(player);
  expect(gameEventsOf(player)).toEqual(gameEventsOf(ada));
}

/** Appends an event as the scripts do, but does not publish it. @returns its number */
async function appendUnpublished(event: object, added: Record<string, string> = {}) {
  const [lobby, log] = lobbyKeys(lobbyIdOf(ada));
  const [seq, previous] = (await redis().hmget(lobby, 'seq', 'mark')) as [string, string];
  const next = { seq: Number(seq) + 1, mark: randomBytes(8).toString('hex') };
  const fields = { ...next, previous, atMs: Date.now(), by: 'test', event: JSON.stringify(event) };
  await redis().xadd(log, `${next.seq}-0`, 'entry', JSON.stringify({ ...fields, ...added }));
  await redis().hset(lobby, next);
  return next.seq;
}

describe('a replica gets every event exactly once and in order', () => {
  it('if a publish is lost and the next one shows the gap', async () => {
    const [lobby] = lobbyKeys(lobbyIdOf(ada));
    const [roster, status, gameId] = (await redis().hmget(lobby, 'roster', 'status', 'gameId')) as [
      string,
      string,
      string,
    ];
    const seq = await appendUnpublished({ type: 'lobby:state' }, { roster, status, gameId, connected: '[]' });
    await makeEvents(1);
    for (const player of [ada, ben, watcher]) {
      await player.next('lobby:state', (state) => state.seq === seq + 1);
      await expectWhole(player);
    }
  });

  it('if a publish is lost and none follows', async () => {
    await appendUnpublished({ type: 'lobby:closed', code, reason: 'expired' });
    for (const player of [ada, ben, watcher]) await player.next('lobby:closed');
  });

  it('if its connections to Redis are broken during a whole game', async () => {
    await network.block();
    await play();
    expect(eventsOf(watcher).some(({ type }) => type === 'game:question')).toBe(false);
    await network.unblock();
    await expectSameGame(watcher);
  });

  it('if the other end of its connections vanishes without closing them', async () => {
    network.blackhole();
    await play();
    await expectSameGame(watcher);
    // The subscriber also reconnects as soon as a reply to it is missing.
    await far.services.subscriber.ssubscribe('another');
  });

  it('if its subscription delivers nothing any more, after which it subscribes again', async () => {
    const channel = channelOf(lobbyIdOf(ada));
    const subscribers = async () => Number(((await redis().call('PUBSUB', 'SHARDNUMSUB', channel)) as unknown[])[1]);
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

it('all sockets get the current state after Redis has lost numbers and assigns them anew', async () => {
  await makeEvents(5);
  // All events of the old history must arrive before the loss.
  const head = Number(await redis().hget(lobbyKeys(lobbyIdOf(ada))[0], 'seq'));
  for (const player of [ada, ben, watcher]) await player.next('lobby:state', ({ seq }) => seq === head);
  for (const count of [1, 40]) {
    const seen = [ada, ben, watcher].map((player) => player.messages.length);
    await redis().flushall();
    const joiners = await Promise.all([1, 2].map(() => createPlayer(arena.services, far.url)));
    for (const joiner of joiners) await postUntilDone(joiner, `/api/v1/lobbies/${code}/join`, {});
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

it('a waiting lobby recovers after Redis has lost all data', async () => {
  const seen = [ada, ben, watcher].map((player) => player.messages.length);
  await redis().flushall();
  // A request right after the loss is answered, too.
  ben.send({ type: 'game:ready' });
  await ben.next('lobby:state', () => true, seen[1]);
  const carl = await createPlayer(arena.services, far.url, 'Carl');
  await postUntilDone(carl, `/api/v1/lobbies/${code}/join`, {});
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
