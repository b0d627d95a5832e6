// Clients get each event exactly once even when Redis loses writes: events of two histories can have the same number,
// but not the same mark. The tests simulate a failover by restoring a lobby's earlier keys. [contract 16]
import type { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { lobbyKeys, socketsKey } from '../../src/lobby/keys.ts';
import type { Lobby } from '../../src/lobby/schema.ts';
import { useFarReplica } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { appendEvents, eventsOf, lastOf, startGame } from '../support/game.ts';
import { enter, join, type Player } from '../support/player.ts';

/** Records a lobby's keys. @returns a function that restores them */
async function snapshotLobby(redis: Redis, lobbyId: string): Promise<() => Promise<void>> {
  const [lobby, log] = lobbyKeys(lobbyId);
  const keys = [lobby, log, socketsKey(lobbyId), `${lobby}:match`];
  // A transaction reads a consistent state, since replicas go on writing.
  const transaction = redis.multi();
  for (const key of keys) transaction.dumpBuffer(key);
  const saved = ((await transaction.exec()) ?? []).map(([error, value], index) => {
    if (error) throw error;
    return { key: keys[index] as string, value: value as Buffer | null };
  });
  return async () => {
    const step = redis.multi();
    for (const { key, value } of saved) {
      if (value) step.restore(key, 3_600_000, value, 'REPLACE');
      else step.del(key);
    }
    for (const [error] of (await step.exec()) ?? []) if (error) throw error;
  };
}

const { arena, network, far, lobby, redis, makeEvents, headSeq } = useFarReplica(60_000, { capacity: 20 });

const nextState = (player: Player, after: number) => player.next('lobby:state', ({ seq }) => seq === after + 1);

/** Adds a member whose join is part of the newer history alone. @returns the user's id */
async function joinAnotherPlayer(): Promise<string> {
  const carl = await arena.player('Carl');
  await join(carl, lobby.code);
  return carl.user.id;
}

it('the mark of a snapshot is that of the event whose number it carries, also for number 0', async () => {
  const { ada, ben, code } = lobby;
  const [first] = eventsOf(ada);
  expect(first).toMatchObject({ seq: 0, mark: expect.stringMatching(/^.{1,16}$/) });
  const event = eventsOf(ada).at(-1);
  expect(event?.mark).toMatch(/^[0-9a-f]{16}$/);
  for (const message of [{ type: 'game:ready' }, { type: 'lobby:join', code }])
    expect(await ben.nextAfter(message, 'lobby:state')).toEqual({ ...event, snapshot: true });
});

describe('after a failover that lost the last event', () => {
  it('a client that resumes with its number and mark on another replica gets a snapshot', async () => {
    const { ada, ben, code, lobbyId } = await startGame(arena);
    const restore = await snapshotLobby(redis(), lobbyId);
    const before = ben.lastSeq();
    await appendEvents(arena.services, lobbyId, 1);
    const { seq, mark } = await nextState(ben, before);
    ben.drop();
    ada.drop();
    await restore();
    await appendEvents(arena.services, lobbyId, 1);
    const seen = ben.messages.length;
    await ben.connect(far.url);
    const questionEvent = await ben.nextAfter({ type: 'lobby:join', code, since: seq, mark }, 'game:question');
    const [state] = eventsOf(ben).slice(seen);
    expect(state).toMatchObject({ type: 'lobby:state', seq: questionEvent.seq, mark: questionEvent.mark });
    expect(questionEvent.seq).toBeGreaterThanOrEqual(seq);
    expect(questionEvent.mark).not.toBe(mark);
  });

  it.each([0, 2])(
    'a connected socket whose replica missed %i newer events gets a snapshot with a new mark before anything else',
    async (count) => {
      const { watcher, all, lobbyId } = lobby;
      const restore = await snapshotLobby(redis(), lobbyId);
      const before = watcher.lastSeq();
      await makeEvents(1);
      for (const player of all) await nextState(player, before);
      const seen = watcher.messages.length;
      await network.block();
      await restore();
      const carl = count > 0 ? await joinAnotherPlayer() : null;
      await makeEvents(Math.max(0, count - 1));
      const head = await headSeq();
      await network.unblock();
      const snapshot = await watcher.next('lobby:state', () => true, seen);
      expect(snapshot.seq).toBeGreaterThanOrEqual(head);
      expect(JSON.stringify(watcher.messages.slice(0, seen))).not.toContain(snapshot.mark);
      if (carl) expect(snapshot.lobby.players.map(({ userId }) => userId)).toContain(carl);
      await expectSameLastEvent();
    },
  );

  it('connected sockets whose replicas received every event get a snapshot too', async () => {
    const { all, lobbyId } = lobby;
    const restore = await snapshotLobby(redis(), lobbyId);
    const lost = await headSeq();
    await makeEvents(2);
    for (const player of all) await nextState(player, lost + 1);
    const seen = all.map((player) => player.messages.length);
    await restore();
    const carl = await joinAnotherPlayer();
    // The reconciler may have sent a snapshot before Carl joined.
    const isThere = ({ lobby: { players } }: { lobby: Lobby }) => players.some(({ userId }) => userId === carl);
    for (const [index, player] of all.entries()) await player.next('lobby:state', isThere, seen[index]);
    await expectSameLastEvent();
  });

  it('a player whose join was among the lost events stays a member and is in the next lobby:state', async () => {
    const restore = await snapshotLobby(redis(), lobby.lobbyId);
    const carl = await arena.player('Carl', 1);
    await carl.connect();
    await enter(carl, lobby.code);
    const isIn = ({ lobby: { players } }: { lobby: Lobby }) =>
      players.some(({ userId, connected }) => userId === carl.user.id && connected);
    const members = [lobby.ada, lobby.ben, carl];
    for (const player of members) await player.next('lobby:state', isIn);
    const seen = members.map((player) => player.messages.length);
    await restore();
    await makeEvents(1);
    for (const [index, player] of members.entries()) await player.next('lobby:state', isIn, seen[index]);
    carl.drop();
  });
});

async function expectSameLastEvent(): Promise<void> {
  await eventually(async () => {
    const lasts = lobby.all.map(lastOf);
    expect(lasts.map(({ since }) => since)).toEqual(Array(3).fill(await headSeq()));
    expect(new Set(lasts.map(({ mark }) => mark)).size).toBe(1);
  });
}
