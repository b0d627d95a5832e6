// Players leave a running game, enter it late, and reconnect. [contract 5.1, 5.2, 5.6, 10]
import { describe, expect, it } from 'vitest';
import { useArena } from '../support/arena.ts';
import { answer, eventsOf, openTab, questionIdOf, startGame, startGameOf } from '../support/game.ts';
import { gather, type Player } from '../support/player.ts';

const arena = useArena({ env: { ROUND_DURATION_MS: '30000' } });

const LEAVE = { type: 'lobby:leave' };
const idsOf = (rows: { userId: string }[]) => rows.map(({ userId }) => userId);
const ids = (...players: Player[]) => players.map(({ user }) => user.id);
const names = (message: { lobby: { players: { name: string }[] } }) =>
  message.lobby.players.map(({ name }) => name).join();

describe('lobby:leave in a running game', () => {
  it('ends the round with player_left when all others have answered', async () => {
    const { players } = await startGameOf(arena, ['Ada', 'Ben', 'Carl'], { rounds: 2 });
    const [ada, ben, carl] = players;
    await answer(arena, ada, 1, 'right');
    await answer(arena, ben, 1, 'wrong');
    const seen = carl.messages.length;
    carl.send(LEAVE);
    const result = await ada.next('game:answer_result');
    expect(result.reason).toBe('player_left');
    // The answers are those of the players who are still in the round; the scores are those of all players.
    expect(idsOf(result.answers ?? [])).toEqual(ids(ada, ben));
    expect(idsOf(result.scores).toSorted()).toEqual(ids(ada, ben, carl).toSorted());
    expect(names(await ada.next('lobby:state', (state) => names(state) === 'Ada,Ben'))).toBeTruthy();
    await answer(arena, ada, 2, 'right');
    await answer(arena, ben, 2, 'right');
    const second = await ben.next('game:answer_result', ({ round }) => round === 2);
    expect(second.reason).toBe('all_answered');
    await ben.next('game:finished');
    expect(carl.messages).toHaveLength(seen);
  });

  it('removes the player from the lobby and the game, permanently', async () => {
    const { players, code } = await startGameOf(arena, ['Ada', 'Ben', 'Carl']);
    const [ada, ben, carl] = players;
    const elsewhere = await openTab(arena, carl, code);
    const questionId = await questionIdOf(elsewhere);
    carl.send(LEAVE);
    // Each replica gets the event by a subscription of its own.
    for (const player of [ada, ben]) await player.next('lobby:state', (state) => names(state) === 'Ada,Ben');
    for (const socket of [carl, elsewhere]) {
      expect(await socket.refused({ type: 'game:answer', questionId, optionId: 0 })).toMatchObject({
        reason: 'NOT_IN_GAME',
      });
      expect(await socket.refused({ type: 'game:ready' })).toMatchObject({ reason: 'NOT_IN_LOBBY' });
      expect(await socket.refused({ type: 'lobby:join', code })).toMatchObject({ reason: 'NOT_A_MEMBER' });
    }
    expect((await carl.http.post(`/api/v1/lobbies/${code}/join`)).body.code).toBe('LOBBY_NOT_WAITING');
  });

  it('by the last player ends the game and stores its result', async () => {
    const { ada, ben, gameId, code } = await startGame(arena, { rounds: 3 });
    await answer(arena, ada, 1, 'right');
    await answer(arena, ben, 1, 'wrong');
    await questionIdOf(ada, 2);
    ben.send(LEAVE);
    await ada.next('lobby:state', (state) => names(state) === 'Ada');
    ada.send(LEAVE);
    await expect
      .poll(async () => (await ada.http.get(`/api/v1/games/${gameId}`)).status, { timeout: 30_000 })
      .toBe(200);
    const { body } = await ben.http.get(`/api/v1/games/${gameId}`);
    expect(body).toMatchObject({ code, winnerIds: [ada.user.id] });
    expect(idsOf(body.scores)).toEqual(ids(ada, ben));
    expect(eventsOf(ada).some(({ type }) => type === 'game:finished')).toBe(false);
  });
});

describe('a member who was not connected at the start', () => {
  it('becomes a player with a score of 0 on entering, and the round waits for an answer', async () => {
    const [ada, ben] = await arena.players('Ada', 'Ben');
    const carl = await arena.player('Carl', 1);
    const code = await gather([ada, ben], { settings: { rounds: 2 } });
    await carl.http.post(`/api/v1/lobbies/${code}/join`);
    ada.send({ type: 'lobby:start' });
    await questionIdOf(ada);
    await carl.connect();
    carl.send({ type: 'lobby:join', code });
    const state = await carl.next('lobby:state');
    expect(state.lobby).toMatchObject({ status: 'running', code });
    const asked = await carl.next('game:question');
    expect(asked).toMatchObject({ round: 1, seq: state.seq });
    for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
    await answer(arena, carl, 1, 'wrong');
    const result = await ada.next('game:answer_result');
    expect(result.reason).toBe('all_answered');
    expect(result.scores.at(-1)).toEqual({ userId: carl.user.id, name: 'Carl', score: 0 });
    for (const player of [ada, ben, carl]) await answer(arena, player, 2, 'right');
    const finished = await carl.next('game:finished');
    expect(finished.scores.map(({ score }) => score)).toEqual([2, 2, 1]);
  });
});
