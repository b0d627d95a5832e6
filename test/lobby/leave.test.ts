// Players leave a waiting lobby. Leaving a running game: match/host.test.ts. [contract 5.2, 10]
import { describe, expect, it } from 'vitest';
import type { ServerMessage } from '../../src/realtime/schema.ts';
import { useArena } from '../support/arena.ts';
import { openLobby, openTab } from '../support/game.ts';
import { gather, type Player } from '../support/player.ts';

type LobbyState = Extract<ServerMessage, { type: 'lobby:state' }>;

const arena = useArena();

/** Opens another socket of a user, on another replica, in the same lobby. */
async function secondSocket(first: Player, replica: number, code: string): Promise<Player> {
  const other = await openTab(arena, first, code, replica);
  // The snapshot comes first, then the event of this socket's entering.
  const { seq } = await other.next('lobby:state');
  for (const socket of [other, first]) await socket.next('lobby:state', (state) => state.seq === seq + 1);
  return other;
}

/** game:ready is refused only to a socket in no lobby. */
async function expectNotInLobby(player: Player): Promise<void> {
  expect(await player.refused({ type: 'game:ready' })).toMatchObject({ code: 409, reason: 'NOT_IN_LOBBY' });
}

const names = ({ lobby }: LobbyState) => lobby.players.map(({ name }) => name);

describe('lobby:leave by the host of a waiting lobby', () => {
  it('deletes the lobby, and sends lobby:closed with host_left to the others alone', async () => {
    const players = await arena.players('Ada', 'Ben', 'Carl', 'Dora');
    const [ada, ...others] = players;
    const code = await gather(players);
    const adaElsewhere = await secondSocket(ada, 1, code);
    const [seen, seenElsewhere] = [ada.messages.length, adaElsewhere.messages.length];
    const { lobbyId } = (ada.messages.at(-1) as LobbyState).lobby;
    ada.send({ type: 'lobby:leave' });
    for (const player of others) {
      const closed = await player.next('lobby:closed');
      expect(closed).toEqual({
        type: 'lobby:closed',
        code,
        reason: 'host_left',
        seq: closed.seq,
        mark: expect.any(String),
      });
      expect(player.messages.at(-2)).toMatchObject({ type: 'lobby:state', seq: closed.seq - 1 });
      await expectNotInLobby(player);
      expect((await player.http.get(`/api/v1/lobbies/${code}`)).status).toBe(404);
      expect(await player.refused({ type: 'lobby:join', code })).toMatchObject({ code: 404 });
    }
    await expectNotInLobby(ada);
    await expectNotInLobby(adaElsewhere);
    expect(ada.messages.slice(seen).map(({ type }) => type)).toEqual(['error']);
    expect(adaElsewhere.messages.slice(seenElsewhere).map(({ type }) => type)).toEqual(['error']);
    expect(await arena.services.db.lobby.findUnique({ where: { id: lobbyId } })).toBeNull();
  });
});

describe('lobby:leave by another player of a waiting lobby', () => {
  it('removes the player, and sends lobby:state to the others alone', async () => {
    const players = await arena.players('Ada', 'Ben', 'Carl', 'Dora');
    const [ada, ben, carl, dora] = players;
    const code = await gather(players, { capacity: 4 });
    const seen = ben.messages.length;
    const last = ada.lastSeq();
    ben.send({ type: 'lobby:leave' });
    for (const player of [ada, carl, dora]) {
      const state = await player.next('lobby:state', ({ seq }) => seq === last + 1);
      expect(names(state)).toEqual(['Ada', 'Carl', 'Dora']);
    }
    await expectNotInLobby(ben);
    expect(ben.messages.slice(seen).map(({ type }) => type)).toEqual(['error']);
    expect((await ben.http.get(`/api/v1/lobbies/${code}`)).body.code).toBe('NOT_A_MEMBER');
    expect(await ben.refused({ type: 'lobby:join', code })).toMatchObject({ code: 403 });
  });

  it('takes the user’s other sockets out of the lobby too, on any replica', async () => {
    const { ada, ben, code } = await openLobby(arena);
    const benElsewhere = await secondSocket(ben, 0, code);
    const seen = benElsewhere.messages.length;
    ben.send({ type: 'lobby:leave' });
    await ada.next('lobby:state', (state) => `${names(state)}` === 'Ada');
    await expectNotInLobby(benElsewhere);
    expect(benElsewhere.messages.slice(seen).map(({ type }) => type)).toEqual(['error']);
    const before = ada.messages.length;
    await ben.http.post(`/api/v1/lobbies/${code}/join`);
    const isBack = (state: LobbyState) => `${names(state)}` === 'Ada,Ben';
    const back = await ada.next('lobby:state', isBack, before);
    expect(back.lobby.players[1]).toMatchObject({ name: 'Ben', connected: false });
  });
});

it('lobby:leave takes effect even if its socket closes at the same moment', async () => {
  const { ada, ben, code } = await openLobby(arena);
  const benElsewhere = await openTab(arena, ben, code, 0);
  benElsewhere.send({ type: 'lobby:leave' });
  await benElsewhere.close();
  await ada.next('lobby:state', (state) => `${names(state)}` === 'Ada');
});
