// What a host says at the very moment at which something else happens: a double click, two tabs, a last
// answer, a leave, the clock. Whichever comes first, the game is one that could have been. [contract 11]
import { describe, expect, it } from 'vitest';
import { kickPlayer, setSettings } from '../../src/lobby/host-store.ts';
import { findById, type StoredLobby } from '../../src/lobby/store.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import {
  answer,
  gameEventsOf,
  lobbyIdOf,
  questionIdOf,
  startGame,
  startGameOf,
} from '../support/game.ts';
import { gather, type Player, playerOf } from '../support/player.ts';
import type { TestService } from '../support/service.ts';

/** How often each race is run. */
const TIMES = 4;

const arena = useArena({ env: { ROUND_DURATION_MS: '60000' } });

/** The same user once more, on the other replica. */
async function secondTab({ user }: Player, code: string): Promise<Player> {
  const tab = playerOf(user, arena.replicas[1]?.url as string);
  await eventually(() => tab.connect());
  tab.send({ type: 'lobby:join', code });
  await tab.next('lobby:state');
  return tab;
}

const reasonsOf = ({ messages }: Player) =>
  messages.flatMap((message) => (message.type === 'error' ? [message.reason] : []));

const result = (player: Player, round: number) =>
  player.next('game:answer_result', (message) => message.round === round);

/** The rounds came one after the other, each judged once. */
function expectInOrder(player: Player, rounds: number): void {
  const told = gameEventsOf(player).map((event) => ('round' in event ? event.round : 'end'));
  const expected = Array.from({ length: rounds }, (_, index) => [index + 1, index + 1]).flat();
  expect(told).toEqual([...expected, 'end']);
}

describe.each(Array.from({ length: TIMES }, (_, index) => [index + 1]))('run %i', () => {
  it('a player is removed while giving the last answer: it counts, or nobody waits for it', async () => {
    const { players } = await startGameOf(arena, ['Ada', 'Ben', 'Cleo'], { rounds: 2 });
    const [ada, ben, cleo] = players as [Player, Player, Player];
    for (const player of [ada, cleo]) await answer(arena, player, 1, 'right');
    const questionId = await questionIdOf(ben);
    ben.send({ type: 'game:answer', questionId, optionId: 0 });
    ada.send({ type: 'lobby:kick', userId: ben.user.id });
    await ben.next('lobby:kicked');
    const { reason, answers } = await result(ada, 1);
    const isListed = answers.some(({ userId }) => userId === ben.user.id);
    expect(['all_answered', 'player_left']).toContain(reason);
    if (reason === 'player_left') expect(isListed).toBe(false);
    for (const player of [ada, cleo]) await answer(arena, player, 2, 'right');
    await cleo.next('game:finished');
    expectInOrder(cleo, 2);
    expect((await result(cleo, 2)).answers).toHaveLength(2);
  });

  it('of two clicks on “next” in two tabs, one ends the phase, and none the one after it', async () => {
    const { ada, ben, code } = await startGame(arena, { rounds: 2, intermissionMs: 300_000 });
    const tab = await secondTab(ada, code);
    for (const phase of ['round', 'intermission']) {
      for (const window of [ada, ada, tab]) window.send({ type: 'game:next', round: 1, phase });
    }
    // What comes after the first of them is refused: another phase is open.
    await eventually(() => expect([...reasonsOf(ada), ...reasonsOf(tab)]).toHaveLength(4));
    expect(new Set([...reasonsOf(ada), ...reasonsOf(tab)])).toEqual(new Set(['ROUND_CLOSED']));
    await ben.next('game:question', ({ round }) => round === 2);
    expect(await result(ben, 1)).toMatchObject({ reason: 'skipped' });
    ada.send({ type: 'game:end' });
    await ben.next('game:finished');
    expectInOrder(ben, 2);
  });

  it('“next” against the clock ends one phase', async () => {
    const { ada, ben } = await startGame(arena, { rounds: 3, intermissionMs: 300 });
    ada.send({ type: 'game:next', round: 1, phase: 'round' });
    const { nextAt } = await result(ada, 1);
    await eventually(() => expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(nextAt) - 5), {
      intervalMs: 1,
    });
    ada.send({ type: 'game:next', round: 1, phase: 'intermission' });
    await ben.next('game:question', ({ round }) => round === 2);
    for (const round of [2, 3]) {
      for (const player of [ada, ben]) await answer(arena, player, round, 'right');
    }
    await ben.next('game:finished');
    expectInOrder(ben, 3);
    expect(await result(ben, 2)).toMatchObject({ reason: 'all_answered' });
  });

  it('a lobby is configured while it starts: it plays by what it says', async () => {
    const [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
    const code = await gather([ada, ben], { settings: { rounds: 3 } });
    const tab = await secondTab(ada, code);
    tab.send({ type: 'lobby:configure', settings: { rounds: 1, roundMs: 50_000 } });
    ada.send({ type: 'lobby:start' });
    const { totalRounds, durationMs } = await ben.next('game:question');
    const { settings } = (await ben.http.get(`/api/v1/lobbies/${code}`)).body;
    expect([totalRounds, durationMs]).toEqual([settings.rounds, settings.roundMs]);
    expect([1, 3]).toContain(totalRounds);
    for (const reason of reasonsOf(tab)) expect(reason).toBe('LOBBY_NOT_WAITING');
  });

  it('a player leaves while the lobby is opened again: who has left is not in it', async () => {
    const { players, code } = await startGameOf(arena, ['Ada', 'Ben', 'Cleo'], { rounds: 1 });
    const [ada, ben, cleo] = players as [Player, Player, Player];
    ada.send({ type: 'game:end' });
    await ben.next('game:finished');
    ben.send({ type: 'lobby:leave' });
    ada.send({ type: 'lobby:again' });
    const { lobby } = await cleo.next(
      'lobby:state',
      ({ lobby: { status, players: all } }) => status === 'waiting' && all.length === 2,
    );
    expect(lobby).toMatchObject({ hostId: ada.user.id, gameId: null, code });
    expect((await ben.http.get(`/api/v1/lobbies/${code}`)).body.code).toBe('NOT_A_MEMBER');
  });

  it('a host leaves while opening the lobby again: it is another’s, or no more', async () => {
    const { ada, ben, code } = await startGame(arena, { rounds: 1 });
    const tab = await secondTab(ada, code);
    ada.send({ type: 'game:end' });
    await ben.next('game:finished');
    const seen = ben.messages.length;
    tab.send({ type: 'lobby:leave' });
    ada.send({ type: 'lobby:again' });
    await eventually(
      async () => {
        const told = ben.messages.slice(seen);
        const isClosed = told.some(({ type }) => type === 'lobby:closed');
        const isBens = told.some(
          (message) => message.type === 'lobby:state' && message.lobby.hostId === ben.user.id,
        );
        // As clients do: what a store was away for is said again.
        if (!isClosed && !isBens) tab.send({ type: 'lobby:leave' });
        expect([isClosed, isBens]).toEqual([!isBens, !isClosed]);
        const { status } = await ben.http.get(`/api/v1/lobbies/${code}`);
        expect(status).toBe(isClosed ? 404 : 200);
      },
      { intervalMs: 500 },
    );
  });
});

describe('a replica that dies between a host’s deed and telling of it, when the game starts at once', () => {
  /** What the players hear of a deed that PostgreSQL alone knows. */
  async function startAfter(deed: (lobbyId: string, players: Player[]) => Promise<unknown>) {
    const players = await arena.players('Ada', 'Ben', 'Cleo');
    const code = await gather(players);
    const [ada, ben, cleo] = players as [Player, Player, Player];
    await deed(lobbyIdOf(ada), players);
    const seen = ben.messages.length;
    ada.send({ type: 'lobby:start' });
    await ben.next('game:question');
    return { ben, cleo, code, heard: ben.messages.slice(seen) };
  }
  const db = () => (arena.replicas[0] as TestService).services.db;

  it('other settings are told before the game that goes by them', async () => {
    const { heard } = await startAfter(async (lobbyId) => {
      const { roster, version } = (await findById(db(), lobbyId)) as StoredLobby;
      const settings = { ...roster.settings, rounds: 7 };
      await setSettings(db(), lobbyId, version, { settings, capacity: 9 });
    });
    expect(heard).toMatchObject([
      { type: 'lobby:state', lobby: { capacity: 9, settings: { rounds: 7 } } },
      { type: 'game:question', totalRounds: 7 },
    ]);
  });

  it('who was removed is told so, and sees nothing of the game', async () => {
    const { ben, cleo, code } = await startAfter((lobbyId, [ada, , cleo]) =>
      kickPlayer(db(), lobbyId, ada?.user.id as string, cleo?.user.id as string),
    );
    await cleo.next('lobby:kicked', (message) => message.code === code);
    const { lobby } = await ben.next('lobby:state', ({ lobby }) => lobby.players.length === 2);
    expect(lobby.players.map(({ userId }) => userId)).not.toContain(cleo.user.id);
    expect(gameEventsOf(cleo)).toEqual([]);
  });
});
