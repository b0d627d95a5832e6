// A host's message can race with a second one, a last answer, a leave or the clock. Whichever comes first,
// the outcome is that of one of the two orders. [contract 11]
import { describe, expect, it } from 'vitest';
import { lobbyKeys } from '../../src/lobby/keys.ts';
import type { Lobby } from '../../src/lobby/schema.ts';
import { findById, kickPlayer, type StoredLobby, setSettings } from '../../src/lobby/store.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { gameEventsOf, lobbyIdOf, openLobby, openTab, startGame, startGameOf } from '../support/game.ts';
import { gather, type Player, read } from '../support/player.ts';

const arena = useArena({ env: { ROUND_DURATION_MS: '60000' } });

const reasonsOf = ({ messages }: Player) =>
  messages.flatMap((message) => (message.type === 'error' ? [message.reason] : []));

describe.each([1, 2])('run %i of each race', () => {
  it('of any number of equal changes at once one is an event, and the others’ senders get a snapshot', async () => {
    const { ada, ben, code, lobbyId } = await openLobby(arena);
    const tabs = await Promise.all(Array.from({ length: 6 }, () => openTab(arena, ada, code)));
    const { redis } = arena.services;
    const [lobby] = lobbyKeys(lobbyId);
    for (const message of [
      { type: 'lobby:lock', locked: true },
      { type: 'lobby:configure', capacity: 7 },
    ]) {
      // The tabs' joins are announced a little later.
      await eventually(async () => {
        const [seq, pending] = await redis.hmget(lobby, 'seq', 'announceAtMs');
        const seen = [ben, ...tabs].map((player) => player.lastSeq());
        expect([pending, ...seen]).toEqual([null, ...seen.map(() => Number(seq))]);
      });
      const [before, last] = [tabs.map((tab) => tab.messages.length), ben.lastSeq()];
      const got = (tab: Player, index: number) => tab.messages.slice(before[index]);
      for (const tab of tabs) tab.send(message);
      await eventually(() => {
        const states = tabs.flatMap(got) as { seq: number; snapshot?: boolean }[];
        expect(states.filter(({ snapshot }) => snapshot)).toHaveLength(tabs.length - 1);
        expect(states.filter(({ snapshot }) => !snapshot).map(({ seq }) => seq)).toEqual(tabs.map(() => last + 1));
      });
    }
  });

  it('a game that starts during lobby:configure follows the settings that the lobby reports', async () => {
    const { ada, ben, code } = await openLobby(arena, { settings: { rounds: 3 } });
    const tab = await openTab(arena, ada, code);
    tab.send({ type: 'lobby:configure', settings: { rounds: 1, roundMs: 50_000 } });
    ada.send({ type: 'lobby:start' });
    const { totalRounds, durationMs } = await ben.next('game:question');
    const { settings } = (await read(ben, code)).body;
    expect([totalRounds, durationMs]).toEqual([settings.rounds, settings.roundMs]);
    expect([1, 3]).toContain(totalRounds);
    for (const reason of reasonsOf(tab)) expect(reason).toBe('LOBBY_NOT_WAITING');
  });

  it('a player who leaves while the lobby is reopened is not in it', async () => {
    const { players, code } = await startGameOf(arena, ['Ada', 'Ben', 'Cleo'], { rounds: 1 });
    const [ada, ben, cleo] = players;
    ada.send({ type: 'game:end' });
    await ben.next('game:finished');
    ben.send({ type: 'lobby:leave' });
    ada.send({ type: 'lobby:again' });
    const isReopened = ({ lobby }: { lobby: Lobby }) => lobby.status === 'waiting' && lobby.players.length === 2;
    const { lobby } = await cleo.next('lobby:state', isReopened);
    expect(lobby).toMatchObject({ hostId: ada.user.id, gameId: null, code });
    expect((await read(ben, code)).body.code).toBe('NOT_A_MEMBER');
  });

  it('a lobby whose host leaves during lobby:again is closed or has another host', async () => {
    const { ada, ben, code } = await startGame(arena, { rounds: 1 });
    const tab = await openTab(arena, ada, code);
    ada.send({ type: 'game:end' });
    await ben.next('game:finished');
    const seen = ben.messages.length;
    tab.send({ type: 'lobby:leave' });
    ada.send({ type: 'lobby:again' });
    await eventually(
      async () => {
        const messages = ben.messages.slice(seen);
        const isClosed = messages.some(({ type }) => type === 'lobby:closed');
        const isBens = messages.some((message) => 'lobby' in message && message.lobby.hostId === ben.user.id);
        // A client sends a message again that was refused because a store was away.
        if (!isClosed && !isBens) tab.send({ type: 'lobby:leave' });
        expect([isClosed, isBens]).toEqual([!isBens, !isClosed]);
        expect((await read(ben, code)).status).toBe(isClosed ? 404 : 200);
      },
      { intervalMs: 500 },
    );
  });
});

describe('the start of a game after a replica died between storing and publishing a host’s change', () => {
  /** Makes a change that only PostgreSQL knows of and starts the game. @returns the messages from then on */
  async function startAfter(change: (lobbyId: string, players: Player[]) => Promise<unknown>) {
    const players = await arena.players('Ada', 'Ben', 'Cleo');
    const code = await gather(players);
    const [ada, ben, cleo] = players;
    await change(lobbyIdOf(ada), players);
    const seen = ben.messages.length;
    ada.send({ type: 'lobby:start' });
    await ben.next('game:question');
    return { ben, cleo, code, messages: ben.messages.slice(seen) };
  }

  it('publishes changed settings before the first question', async () => {
    const { messages } = await startAfter(async (lobbyId) => {
      const { roster, version } = (await findById(arena.services.postgres, lobbyId)) as StoredLobby;
      const settings = { ...roster.settings, rounds: 7 };
      await setSettings(arena.services.db, lobbyId, version, { settings, capacity: 9 });
    });
    expect(messages).toMatchObject([
      { type: 'lobby:state', lobby: { capacity: 9, settings: { rounds: 7 } } },
      { type: 'game:question', totalRounds: 7 },
    ]);
  });

  it('sends lobby:kicked to a removed player, who gets no event of the game', async () => {
    const { ben, cleo, code } = await startAfter((lobbyId, [ada, , cleo]) =>
      kickPlayer(arena.services.db, lobbyId, ada?.user.id as string, cleo?.user.id as string),
    );
    await cleo.next('lobby:kicked', (message) => message.code === code);
    const { lobby } = await ben.next('lobby:state', ({ lobby }) => lobby.players.length === 2);
    expect(lobby.players.map(({ userId }) => userId)).not.toContain(cleo.user.id);
    expect(gameEventsOf(cleo)).toEqual([]);
  });
});
