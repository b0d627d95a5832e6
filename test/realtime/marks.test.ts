// Clients get each event exactly once even when Redis loses writes: events of two histories can have the same number,
// but not the same mark. The tests simulate a failover by restoring a lobby's earlier keys. [contract 16]
import type { Redis } from 'ioredis';
import { beforeEach, describe, expect, it } from 'vitest';
import { lobbyKeys, socketsKey } from '../../src/lobby/keys.ts';
import type { Lobby } from '../../src/lobby/schema.ts';
import { useFarReplica } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { appendEvents, eventsOf, lastOf, lobbyIdOf, startGame } from '../support/game.ts';
import { gather, type Player } from '../support/player.ts';

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

const { arena, network, far, watch } = useFarReplica({ ROUND_DURATION_MS: '60000' });
let ada: Player;
let ben: Player;
/** Ben's socket on the far replica. */
let watcher: Player;
let code: string;

beforeEach(async () => {
  [ada, ben] = await arena.players('Ada', 'Ben');
  code = await gather([ada, ben], { capacity: 20 });
  watcher = await watch(ben, code, [ada, ben]);
});

const redis = () => arena.services.redis as Redis;

const makeEvents = (count: number) => appendEvents(arena.services, lobbyIdOf(ada), count);

const nextState = (player: Player, after: number) => player.next('lobby:state', ({ seq }) => seq === after + 1);

/** Adds a member whose join is part of the newer history alone. @returns the user's id */
async function joinAnotherPlayer(): Promise<string> {
  const carl = await arena.player('Carl');
  await carl.http.post(`/api/v1/lobbies/${code}/join`);
  return carl.user.id;
}

const headSeq = async () => Number(await redis().hget(lobbyKeys(lobbyIdOf(ada))[0], 'seq'));

it('the mark of a snapshot is that of the event whose number it carries, also for number 0', async () => {
  const [first] = eventsOf(ada);
  expect(first).toMatchObject({ seq: 0, mark: expect.stringMatching(/^.{1,16}$/) });
  const event = eventsOf(ada).at(-1);
  expect(event?.mark).toMatch(/^[0-9a-f]{16}$/);
  for (const type of ['game:ready', 'lobby:join']) {
    const seen = ben.messages.length;
    ben.send({ type, ...(type === 'lobby:join' ? { code } : {}) });
    expect(await ben.next('lobby:state', () => true, seen)).toEqual({ ...event, snapshot: true });
  }
});

describe('after a failover that lost the last event', () => {
  it('a client that resumes with its number and mark on another replica gets a snapshot', async () => {
    const game = await startGame(arena);
    const restore = await snapshotLobby(redis(), lobbyIdOf(game.ada));
    const before = game.ben.lastSeq();
    await appendEvents(arena.services, lobbyIdOf(game.ada), 1);
    const { seq, mark } = await nextState(game.ben, before);
    game.ben.drop();
    game.ada.drop();
    await restore();
    await appendEvents(arena.services, lobbyIdOf(game.ada), 1);
    const seen = game.ben.messages.length;
    await game.ben.connect(far.url);
    game.ben.send({ type: 'lobby:join', code: game.code, since: seq, mark });
    const questionEvent = await game.ben.next('game:question', () => true, seen);
    const [state] = eventsOf(game.ben).slice(seen);
    expect(state).toMatchObject({ type: 'lobby:state', seq: questionEvent.seq, mark: questionEvent.mark });
    expect(questionEvent.seq).toBeGreaterThanOrEqual(seq);
    expect(questionEvent.mark).not.toBe(mark);
  });

  it.each([0, 2])(
    'a connected socket whose replica missed %i newer events gets a snapshot with a new mark before anything else',
    async (count) => {
      const restore = await snapshotLobby(redis(), lobbyIdOf(ada));
      const before = watcher.lastSeq();
      await makeEvents(1);
      for (const player of [ada, ben, watcher]) await nextState(player, before);
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
    const restore = await snapshotLobby(redis(), lobbyIdOf(ada));
    const lost = await headSeq();
    await makeEvents(2);
    for (const player of [ada, ben, watcher]) await nextState(player, lost + 1);
    const seen = [ada, ben, watcher].map((player) => player.messages.length);
    await restore();
    const carl = await joinAnotherPlayer();
    // The reconciler may have sent a snapshot before Carl joined.
    for (const [index, player] of [ada, ben, watcher].entries())
      await player.next('lobby:state', ({ lobby }) => lobby.players.some(({ userId }) => userId === carl), seen[index]);
    await expectSameLastEvent();
  });

  it('a player whose join was among the lost events stays a member and is in the next lobby:state', async () => {
    const restore = await snapshotLobby(redis(), lobbyIdOf(ada));
    const carl = await arena.player('Carl', 1);
    await carl.http.post(`/api/v1/lobbies/${code}/join`);
    await carl.connect();
    carl.send({ type: 'lobby:join', code });
    const isIn = ({ lobby }: { lobby: Lobby }) =>
      lobby.players.some(({ userId, connected }) => userId === carl.user.id && connected);
    for (const player of [ada, ben, carl]) await player.next('lobby:state', isIn);
    const seen = [ada, ben, carl].map((player) => player.messages.length);
    await restore();
    await makeEvents(1);
    for (const [index, player] of [ada, ben, carl].entries()) await player.next('lobby:state', isIn, seen[index]);
    carl.drop();
  });
});

async function expectSameLastEvent(): Promise<void> {
  await eventually(async () => {
    const lasts = [ada, ben, watcher].map(lastOf);
    expect(lasts.map(({ since }) => since)).toEqual(Array(3).fill(await headSeq()));
    expect(new Set(lasts.map(({ mark }) => mark)).size).toBe(1);
  });
}
