// Events that are lost between Redis and a replica are read from the lobby's log, so that every socket gets
// each event once and in order. [contract 5.9]
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { channelOf, lobbyKeys } from '../../src/lobby/keys.ts';
import { useFarReplica } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { answer, eventsOf, expectSameMarks, gameEventsOf } from '../support/game.ts';
import { createPlayer, enter, type Player, postUntilDone } from '../support/player.ts';

// The capacity extends the log, which must reach back to before the longest absence on a busy machine.
const { arena, network, far, lobby, redis, makeEvents, headSeq } = useFarReplica(3000, {
  capacity: 50,
  settings: { rounds: 3 },
});

/** Plays a game of three rounds on the near replicas. */
async function play(): Promise<void> {
  const { ada, ben } = lobby;
  ada.send({ type: 'lobby:start' });
  for (const round of [1, 2, 3]) for (const player of [ada, ben]) await answer(arena, player, round, 'right');
  await ada.next('game:finished');
}

/** Expects the events from the player's snapshot to the lobby's last without a gap, with the same marks as Ada's. */
async function expectWhole(player: Player): Promise<void> {
  await eventually(() => expect(player.lastSeq()).toBe(lobby.ada.lastSeq()));
  const [snapshot, ...numbers] = eventsOf(player).map(({ seq }) => seq) as [number];
  expect(numbers).toEqual(numbers.map((_, index) => snapshot + 1 + index));
  expectSameMarks([eventsOf(player), eventsOf(lobby.ada)]);
}

/** Expects the same game events at the far replica as Ada's. */
async function expectSameGame(): Promise<void> {
  await lobby.watcher.next('game:finished');
  await expectWhole(lobby.watcher);
  expect(gameEventsOf(lobby.watcher)).toEqual(gameEventsOf(lobby.ada));
}

/** Appends an event as the scripts do, but does not publish it. @returns its number */
async function appendUnpublished(event: object, added: Record<string, string | null> = {}) {
  const [key, log] = lobbyKeys(lobby.lobbyId);
  const [seq, previous] = (await redis().hmget(key, 'seq', 'mark')) as [string, string];
  const next = { seq: Number(seq) + 1, mark: randomBytes(8).toString('hex') };
  const fields = { ...next, previous, atMs: Date.now(), by: 'test', event: JSON.stringify(event) };
  await redis().xadd(log, `${next.seq}-0`, 'entry', JSON.stringify({ ...fields, ...added }));
  await redis().hset(key, next);
  return next.seq;
}

describe('a replica gets every event exactly once and in order', () => {
  it('if a publish is lost and the next one shows the gap', async () => {
    const [key] = lobbyKeys(lobby.lobbyId);
    const [roster = null, status = null, gameId = null] = await redis().hmget(key, 'roster', 'status', 'gameId');
    const seq = await appendUnpublished({ type: 'lobby:state' }, { roster, status, gameId, connected: '[]' });
    await makeEvents(1);
    for (const player of lobby.all) {
      await player.next('lobby:state', (state) => state.seq === seq + 1);
      await expectWhole(player);
    }
  });

  it('if a publish is lost and none follows', async () => {
    await appendUnpublished({ type: 'lobby:closed', code: lobby.code, reason: 'expired' });
    for (const player of lobby.all) await player.next('lobby:closed');
  });

  it('if its connections to Redis are broken during a whole game', async () => {
    await network.block();
    await play();
    expect(eventsOf(lobby.watcher).some(({ type }) => type === 'game:question')).toBe(false);
    await network.unblock();
    await expectSameGame();
  });

  it('if it misses more events than a part of a replay has', async () => {
    await network.block();
    await makeEvents(250);
    await network.unblock();
    await expectWhole(lobby.watcher);
    await lobby.watcher.nextAfter(() => makeEvents(1), 'lobby:state');
    await expectWhole(lobby.watcher);
  });

  it('if the other end of its connections vanishes without closing them', async () => {
    network.blackhole();
    await play();
    await expectSameGame();
    // The subscriber also reconnects as soon as a reply to it is missing.
    await far.services.subscriber.ssubscribe('another');
  });

  it('if its subscription delivers nothing any more, after which it subscribes again', async () => {
    const channel = channelOf(lobby.lobbyId);
    const subscribers = async () => Number(((await redis().call('PUBSUB', 'SHARDNUMSUB', channel)) as unknown[])[1]);
    expect(await subscribers()).toBe(3);
    await far.services.subscriber.sunsubscribe();
    expect(await subscribers()).toBe(2);
    await lobby.watcher.nextAfter(() => makeEvents(1), 'lobby:state');
    await eventually(
      async () => {
        await makeEvents(1);
        expect(await subscribers()).toBe(3);
      },
      { intervalMs: 500 },
    );
    await expectWhole(lobby.watcher);
  });
});

it('all sockets get the current state after Redis has lost numbers and assigns them anew', async () => {
  await makeEvents(5);
  // All events of the old history must arrive before the loss.
  const head = await headSeq();
  for (const player of lobby.all) await player.next('lobby:state', ({ seq }) => seq === head);
  for (const count of [1, 40]) {
    const seen = lobby.all.map((player) => player.messages.length);
    await redis().flushall();
    const joiners = await Promise.all([1, 2].map(() => createPlayer(arena.services, far.url)));
    for (const joiner of joiners) await postUntilDone(joiner, `/api/v1/lobbies/${lobby.code}/join`, {});
    await makeEvents(count);
    const ids = joiners.map(({ user }) => user.id);
    for (const [index, player] of lobby.all.entries())
      await player.next(
        'lobby:state',
        ({ lobby: { players } }) => ids.every((id) => players.some(({ userId }) => userId === id)),
        seen[index],
      );
  }
});

it('a waiting lobby recovers after Redis has lost all data', async () => {
  const { ada, ben, watcher, all, code } = lobby;
  const seen = all.map((player) => player.messages.length);
  await redis().flushall();
  // A request right after the loss is answered, too.
  await ben.nextAfter({ type: 'game:ready' }, 'lobby:state');
  const carl = await createPlayer(arena.services, far.url, 'Carl');
  await carl.connect();
  await enter(carl, code);
  await carl.next('lobby:state', ({ lobby: { players } }) => players[2]?.connected === true);
  for (const [index, player] of all.entries()) {
    const healed = await player.next(
      'lobby:state',
      ({ lobby: { players } }) => players.length === 3 && players[0]?.connected === true,
      seen[index],
    );
    expect(healed.lobby.players.map(({ name }) => name)).toEqual(['Ada', 'Ben', 'Carl']);
  }
  await ada.next('lobby:state', ({ lobby: { players } }) => players[1]?.connected === true, seen[0]);
  carl.send({ type: 'lobby:leave' });
  await ada.next('lobby:state', ({ lobby: { players } }) => players.length === 2, ada.messages.length);
  await watcher.nextAfter(play, 'game:finished');
  expect(gameEventsOf(watcher)).toEqual(gameEventsOf(ada));
});
