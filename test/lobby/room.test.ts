// Sockets enter a lobby, and their users count as connected, until players leave it. Leaving a running game:
// match/host.test.ts. [contract 5.1, 5.2, 10]
import { describe, expect, it } from 'vitest';
import { socketsKey } from '../../src/lobby/keys.ts';
import { updatePresence } from '../../src/lobby/presence.ts';
import type { ServerMessage } from '../../src/realtime/schema.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { lobbyIdOf, openLobby, openTab } from '../support/game.ts';
import { create, enter, gather, join, type Player, read } from '../support/player.ts';

type LobbyState = Extract<ServerMessage, { type: 'lobby:state' }>;

const arena = useArena();

const url = (replica: number) => arena.replicas[replica]?.url as string;
const isConnected = ({ lobby }: LobbyState, { user }: Player) =>
  lobby.players.find(({ userId }) => userId === user.id)?.connected;

/** Makes an event and waits until `player` has got it. @returns the messages from `after` on */
async function messagesSince(player: Player, code: string, after: number): Promise<ServerMessage[]> {
  const newcomer = await arena.player('Newcomer', 1);
  await join(newcomer, code);
  await player.next('lobby:state', ({ lobby }) => lobby.players.some(({ userId }) => userId === newcomer.user.id));
  return player.messages.slice(after);
}

/** Opens another socket of a user, on another replica, in the same lobby. */
async function secondSocket(first: Player, replica: number, code: string): Promise<Player> {
  const other = await openTab(arena, first, code, replica);
  // The snapshot comes first, then the event of this socket's entering.
  const { seq } = await other.next('lobby:state');
  for (const socket of [other, first]) await socket.next('lobby:state', (state) => state.seq === seq + 1);
  return other;
}

it('lobby:join gets the snapshot, and then all sockets in the lobby get lobby:state', async () => {
  const [ada, ben] = await arena.players('Ada', 'Ben');
  const { code } = await create(ada);
  ada.send({ type: 'lobby:join', code });
  await ada.next('lobby:state', (state) => state.seq === 1);
  expect(ada.messages.map((message) => [message.type, 'seq' in message && message.seq])).toEqual([
    ['lobby:state', 0],
    ['lobby:state', 1],
  ]);
  await join(ben, code);
  const added = await ada.next('lobby:state', (state) => state.seq === 2);
  expect(isConnected(added, ben)).toBe(false);
  ben.send({ type: 'lobby:join', code });
  const event = await ben.next('lobby:state', (state) => state.seq === 3);
  expect(isConnected(event, ben)).toBe(true);
  expect(event.lobby).toEqual((await read(ada, code)).body);
  expect(ben.messages).toEqual([{ ...added, snapshot: true }, event]);
  expect(await ada.next('lobby:state', (state) => state.seq === 3)).toEqual(event);
});

describe('a player is connected', () => {
  it('while any socket of the user is, on any replica, and each change is a lobby:state', async () => {
    const { ada, ben, code } = await openLobby(arena);
    const onOther = await secondSocket(ben, 0, code);
    await ada.next('lobby:state', ({ seq }) => seq === onOther.lastSeq());
    const seen = ada.messages.length;
    ben.drop();
    const between = await messagesSince(ada, code, seen);
    for (const state of between) expect(isConnected(state as LobbyState, ben)).toBe(true);
    onOther.drop();
    await ada.next('lobby:state', (state) => !isConnected(state, ben), seen);
    const { players } = (await read(ada, code)).body;
    expect(players[1]).toMatchObject({ userId: ben.user.id, connected: false });
    const away = ada.messages.length;
    await ben.connect(url(0));
    ben.send({ type: 'lobby:join', code });
    await ada.next('lobby:state', (state) => isConnected(state, ben) === true, away);
  });

  it('no longer than the presence of a crashed replica’s socket lasts', async () => {
    const { ada, ben, code, lobbyId } = await openLobby(arena);
    const carl = await arena.player('Carl');
    await join(carl, code);
    const crashed = { userId: carl.user.id, socketId: 'of-a-crashed-replica' };
    await updatePresence(arena.services, lobbyId, 'add', [crashed]);
    await ada.next('lobby:state', (state) => isConnected(state, carl) === true);
    const seen = ada.messages.length;
    // No replica renews this presence, which the test shortens.
    const member = `${crashed.userId}:${crashed.socketId}`;
    await arena.services.redis.zadd(socketsKey(lobbyId), 'XX', Date.now(), member);
    await ada.next('lobby:state', (state) => isConnected(state, carl) === false, seen);
    await ben.next('lobby:state', (state) => state.seq === ada.lastSeq());
  });
});

describe('a socket is in one lobby at a time', () => {
  it('and entering another lobby ends its presence in the first, but no membership', async () => {
    const { ada, ben, code: first } = await openLobby(arena);
    const { code: second } = await create(ben);
    const seen = ada.messages.length;
    ben.send({ type: 'lobby:join', code: second });
    // The snapshot precedes this event of Ben's entering.
    await ben.next('lobby:state', (state) => state.lobby.code === second && isConnected(state, ben) === true);
    const left = await ada.next('lobby:state', (state) => !isConnected(state, ben), seen);
    expect(left.lobby.players).toHaveLength(2);
    const elsewhere = ben.messages.length;
    await messagesSince(ada, first, seen);
    const answer = await ben.nextAfter({ type: 'game:ready' }, 'lobby:state');
    expect(answer.lobby.code).toBe(second);
    expect(ben.messages).toHaveLength(elsewhere + 1);
  });

  it('and stays there if another lobby:join is refused', async () => {
    const { ada, ben, code } = await openLobby(arena);
    await ben.refused({ type: 'lobby:join', code: 'ZZZZZZ' });
    ada.send({ type: 'lobby:leave' });
    await ben.next('lobby:closed', (closed) => closed.code === code);
  });
});

it('the later lobby:state of two racing changes has both, on every replica', async () => {
  const { ada, ben, code } = await openLobby(arena);
  const crowd = await Promise.all(Array.from({ length: 6 }, (_, i) => arena.player(`Player ${i}`, i % 2)));
  await Promise.all(
    crowd.map(async (player, index) => {
      await player.connect();
      await enter(player, code);
      if (index % 2) player.send({ type: 'lobby:leave' });
      if (index % 3 === 0) await player.close();
    }),
  );
  const final = ({ lobby }: LobbyState) =>
    lobby.players.map(({ name, connected }) => `${name} ${connected}`).toSorted();
  const expected = ['Ada true', 'Ben true', 'Player 0 false', 'Player 2 true', 'Player 4 true'];
  const statesOf = (player: Player) => player.messages.filter((message) => message.type === 'lobby:state');
  await eventually(async () => {
    const stored = (await read(ada, code)).body;
    expect(final({ lobby: stored } as LobbyState)).toEqual(expected);
    for (const player of [ada, ben]) expect(statesOf(player).at(-1)?.lobby).toEqual(stored);
  });
  for (const player of [ada, ben]) {
    const numbers = statesOf(player).map(({ seq }) => seq);
    // After the snapshot, the numbers have no gap.
    expect(numbers.slice(1)).toEqual(numbers.slice(1).map((_, i) => (numbers[1] as number) + i));
  }
});

/** game:ready is refused only to a socket in no lobby. */
async function expectNotInLobby(player: Player): Promise<void> {
  expect(await player.refused({ type: 'game:ready' })).toMatchObject({ code: 409, reason: 'NOT_IN_LOBBY' });
}

it('lobby:leave by the host deletes the lobby, and sends lobby:closed with host_left to the others alone', async () => {
  const players = await arena.players('Ada', 'Ben', 'Carl', 'Dora');
  const [ada, ...others] = players;
  const code = await gather(players);
  const gone = [ada, await secondSocket(ada, 1, code)];
  const seen = gone.map(({ messages }) => messages.length);
  const lobbyId = lobbyIdOf(ada);
  ada.send({ type: 'lobby:leave' });
  for (const player of others) {
    const closed = await player.next('lobby:closed');
    expect(closed).toMatchObject({ code, reason: 'host_left' });
    expect(player.messages.at(-2)).toMatchObject({ type: 'lobby:state', seq: closed.seq - 1 });
    await expectNotInLobby(player);
    expect((await read(player, code)).status).toBe(404);
    expect(await player.refused({ type: 'lobby:join', code })).toMatchObject({ code: 404 });
  }
  for (const [at, socket] of gone.entries()) {
    await expectNotInLobby(socket);
    expect(socket.messages.slice(seen[at]).map(({ type }) => type)).toEqual(['error']);
  }
  expect(await arena.services.db.lobby.findUnique({ where: { id: lobbyId } })).toBeNull();
});

it('lobby:leave by another player removes the player and the user’s other sockets, and tells the others alone', async () => {
  const players = await arena.players('Ada', 'Ben', 'Carl', 'Dora');
  const [ada, ben, carl, dora] = players;
  const code = await gather(players, { capacity: 4 });
  const elsewhere = await secondSocket(ben, 0, code);
  const gone = [ben, elsewhere];
  const seen = gone.map(({ messages }) => messages.length);
  const last = elsewhere.lastSeq();
  ben.send({ type: 'lobby:leave' });
  for (const player of [ada, carl, dora]) {
    const state = await player.next('lobby:state', ({ seq }) => seq === last + 1);
    expect(state.lobby.players.map(({ name }) => name)).toEqual(['Ada', 'Carl', 'Dora']);
  }
  for (const [at, socket] of gone.entries()) {
    await expectNotInLobby(socket);
    expect(socket.messages.slice(seen[at]).map(({ type }) => type)).toEqual(['error']);
    expect(await socket.refused({ type: 'lobby:join', code })).toMatchObject({ code: 403 });
  }
  await join(ben, code);
  const back = await ada.next('lobby:state', ({ seq }) => seq === last + 2);
  const others = ['Ada', 'Carl', 'Dora'].map((name) => ({ name, connected: true }));
  expect(back.lobby.players).toMatchObject([...others, { name: 'Ben', connected: false }]);
});
