// Leaving a running game, coming late, and coming back. [contract 5.1, 5.2, 5.6, 10]
import { describe, expect, it } from 'vitest';
import { useArena } from '../support/arena.ts';
import { answer, eventsOf, questionIdOf, startGame, startGameOf } from '../support/game.ts';
import { gather, type Player, playerOf } from '../support/player.ts';

const arena = useArena({ env: { ROUND_DURATION_MS: '30000' } });

const LEAVE = { type: 'lobby:leave' };
const idsOf = (rows: { userId: string }[]) => rows.map(({ userId }) => userId);
const ids = (...players: Player[]) => players.map(({ user }) => user.id);
const names = (message: { lobby: { players: { name: string }[] } }) =>
  message.lobby.players.map(({ name }) => name).join();

describe('lobby:leave in a running game', () => {
  it('takes the player out: the round ends with player_left when nobody else is awaited', async () => {
    const { players } = await startGameOf(arena, ['Ada', 'Ben', 'Carl'], { rounds: 2 });
    const [ada, ben, carl] = players as [Player, Player, Player];
    await answer(arena, ada, 1, 'right');
    await answer(arena, ben, 1, 'wrong');
    const seen = carl.messages.length;
    carl.send(LEAVE);
    const result = await ada.next('game:answer_result');
    expect(result.reason).toBe('player_left');
    // Those of the round who have not left; scores are of everyone who ever played.
    expect(idsOf(result.answers)).toEqual(ids(ada, ben));
    expect(idsOf(result.scores).toSorted()).toEqual(ids(ada, ben, carl).toSorted());
    expect(
      names(await ada.next('lobby:state', (state) => names(state) === 'Ada,Ben')),
    ).toBeTruthy();
    await answer(arena, ada, 2, 'right');
    await answer(arena, ben, 2, 'right');
    const second = await ben.next('game:answer_result', ({ round }) => round === 2);
    expect(second.reason).toBe('all_answered');
    await ben.next('game:finished');
    expect(carl.messages).toHaveLength(seen);
  });

  it('and the player, who is out for good, is in no lobby and in no game', async () => {
    const { players, code } = await startGameOf(arena, ['Ada', 'Ben', 'Carl']);
    const [ada, ben, carl] = players as [Player, Player, Player];
    const elsewhere = playerOf(carl.user, arena.replicas[1]?.url as string);
    await elsewhere.connect();
    elsewhere.send({ type: 'lobby:join', code });
    const questionId = await questionIdOf(elsewhere);
    carl.send(LEAVE);
    // Each replica hears of it for itself.
    for (const player of [ada, ben])
      await player.next('lobby:state', (state) => names(state) === 'Ada,Ben');
    for (const socket of [carl, elsewhere]) {
      expect(await socket.refused({ type: 'game:answer', questionId, optionId: 0 })).toMatchObject({
        reason: 'NOT_IN_GAME',
      });
      expect(await socket.refused({ type: 'game:ready' })).toMatchObject({
        reason: 'NOT_IN_LOBBY',
      });
      expect(await socket.refused({ type: 'lobby:join', code })).toMatchObject({
        reason: 'NOT_A_MEMBER',
      });
    }
    expect((await carl.http.post(`/api/v1/lobbies/${code}/join`)).body.code).toBe(
      'LOBBY_NOT_WAITING',
    );
  });

  it('the score so far stays in the result, which the leaver may read', async () => {
    const { players, gameId } = await startGameOf(arena, ['Ada', 'Ben', 'Carl'], { rounds: 2 });
    const [ada, ben, carl] = players as [Player, Player, Player];
    for (const player of [ada, ben]) await answer(arena, player, 1, 'wrong');
    await answer(arena, carl, 1, 'right');
    await questionIdOf(carl, 2);
    carl.send(LEAVE);
    for (const player of [ada, ben]) await answer(arena, player, 2, 'wrong');
    const finished = await ada.next('game:finished');
    expect(finished.scores[0]).toEqual({ userId: carl.user.id, name: 'Carl', score: 1 });
    expect(finished.winnerIds).toEqual([carl.user.id]);
    const { status, body } = await carl.http.get(`/api/v1/games/${gameId}`);
    expect([status, body.winnerIds]).toEqual([200, [carl.user.id]]);
  });

  it('of the host does not end the game', async () => {
    const { players } = await startGameOf(arena, ['Ada', 'Ben', 'Carl'], { rounds: 1 });
    const [ada, ben, carl] = players as [Player, Player, Player];
    ada.send(LEAVE);
    await ben.next('lobby:state', (state) => names(state) === 'Ben,Carl');
    for (const player of [ben, carl]) await answer(arena, player, 1, 'right');
    const finished = await carl.next('game:finished');
    expect(finished.winnerIds.toSorted()).toEqual(ids(ben, carl).toSorted());
    expect(idsOf(finished.scores)).toContain(ada.user.id);
  });

  it('of the last player ends the game; its result is stored', async () => {
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
  it('becomes a player with a score of 0, and is waited for', async () => {
    const [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
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
    await ada.next('lobby:state', ({ lobby }) => lobby.players[2]?.connected === true);
    // What a socket asks after its join is answered after it: Carl is in the game by now.
    expect(await carl.refused({ type: 'lobby:start' })).toMatchObject({ reason: 'NOT_HOST' });
    for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
    await answer(arena, carl, 1, 'wrong');
    const result = await ada.next('game:answer_result');
    expect(result.reason).toBe('all_answered');
    expect(result.scores.at(-1)).toEqual({ userId: carl.user.id, name: 'Carl', score: 0 });
    for (const player of [ada, ben, carl]) await answer(arena, player, 2, 'right');
    const finished = await carl.next('game:finished');
    expect(finished.scores.map(({ score }) => score)).toEqual([2, 2, 1]);
  });

  it('and comes in only during a later round, has 0 for the earlier ones', async () => {
    const [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
    const carl = await arena.player('Carl');
    const code = await gather([ada, ben], { settings: { rounds: 2 } });
    await carl.http.post(`/api/v1/lobbies/${code}/join`);
    ada.send({ type: 'lobby:start' });
    for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
    const first = await ada.next('game:answer_result');
    expect(idsOf(first.answers)).toEqual(ids(ada, ben));
    expect(idsOf(first.scores)).toEqual(ids(ada, ben));
    await carl.connect();
    carl.send({ type: 'lobby:join', code });
    for (const player of [carl, ada, ben]) {
      await answer(arena, player, 2, 'right');
      const again = { type: 'game:answer', questionId: await questionIdOf(player, 2), optionId: 0 };
      await player.refused(again);
    }
    const { scores } = await carl.next('game:finished');
    expect(scores.map(({ name, score }) => `${name} ${score}`)).toEqual([
      'Ada 2',
      'Ben 2',
      'Carl 1',
    ]);
  });
});

describe('a player who reconnects', () => {
  it('is let back in, on any replica, and receives what follows', async () => {
    const { ada, ben, code } = await startGame(arena, { rounds: 2 });
    await answer(arena, ben, 1, 'right');
    // Stored before the connection breaks, and all of its answer with it.
    const again = { type: 'game:answer', questionId: await questionIdOf(ben), optionId: 0 };
    expect(await ben.refused(again)).toMatchObject({ reason: 'ALREADY_ANSWERED' });
    const before = ada.messages.length;
    ben.drop();
    await ada.next('lobby:state', ({ lobby }) => lobby.players[1]?.connected === false, before);
    await answer(arena, ada, 1, 'wrong');
    const second = await questionIdOf(ada, 2);
    await ben.connect(arena.replicas[0]?.url);
    const seen = ben.messages.length;
    ben.send({ type: 'lobby:join', code });
    const asked = await ben.next('game:question', () => true, seen);
    expect(asked).toMatchObject({ round: 2, question: { questionId: second } });
    for (const player of [ada, ben]) await answer(arena, player, 2, 'right');
    const { scores } = await ben.next('game:finished', () => true, seen);
    expect(scores.map(({ name, score }) => `${name} ${score}`)).toEqual(['Ben 2', 'Ada 1']);
  });

  it('to a finished game gets its end', async () => {
    const { ada, ben, code } = await startGame(arena, { rounds: 1 });
    for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
    const finished = await ada.next('game:finished');
    ben.drop();
    await ben.connect(arena.replicas[0]?.url);
    const seen = ben.messages.length;
    ben.send({ type: 'lobby:join', code });
    const again = await ben.next('game:finished', () => true, seen);
    const { seq, mark } = finished;
    expect({ ...again, seq, mark }).toEqual({ ...finished, snapshot: true });
    expect(again.seq).toBeGreaterThanOrEqual(finished.seq);
    expect(ben.messages[seen]).toMatchObject({
      type: 'lobby:state',
      lobby: { status: 'finished' },
    });
  });
});
