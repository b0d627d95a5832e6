// A game of phases, and what its host can do. [contract 11, 12, 13]
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useArena } from '../support/arena.ts';
import { answer, eventsOf, startGame, startGameOf } from '../support/game.ts';
import { gather, type Player } from '../support/player.ts';

const arena = useArena({ env: { ROUND_DURATION_MS: '30000' } });

const result = (player: Player, round: number) =>
  player.next('game:answer_result', (message) => message.round === round);

describe('an intermission', () => {
  it('lies between a result and what comes next, and is ended by the clock', async () => {
    const { ada, ben } = await startGame(arena, { rounds: 2, intermissionMs: 700 });
    for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
    const first = await result(ada, 1);
    expect(first).toMatchObject({ nextInMs: 700, isLast: false, reason: 'all_answered' });
    expect(
      await ada.refused({ type: 'game:answer', questionId: first.questionId, optionId: 0 }),
    ).toMatchObject({ reason: 'ROUND_CLOSED' });
    const next = await ada.next('game:question', ({ round }) => round === 2);
    expect(Date.parse(next.deadline) - 30_000).toBeGreaterThanOrEqual(Date.parse(first.nextAt));
    for (const player of [ada, ben]) await answer(arena, player, 2, 'right');
    expect(await result(ben, 2)).toMatchObject({ nextInMs: 700, isLast: true });
    await ben.next('game:finished');
  });

  it('has lobby:state and the last result as its snapshot; game:ready gives the latter', async () => {
    const { ada, ben, code } = await startGame(arena, { rounds: 2, intermissionMs: 300_000 });
    for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
    await result(ben, 1);
    const seen = ben.messages.length;
    ben.send({ type: 'lobby:join', code });
    await ben.next('lobby:state', ({ snapshot }) => snapshot === true, seen);
    ben.send({ type: 'game:ready' });
    await ben.next('game:answer_result', ({ snapshot }) => snapshot === true, seen + 2);
    ada.send({ type: 'game:next', round: 1, phase: 'intermission' });
    await ben.next('game:question', ({ round }) => round === 2);
    expect(await ada.refused({ type: 'game:next', round: 1, phase: 'intermission' })).toMatchObject(
      { reason: 'ROUND_CLOSED' },
    );
    expect(await ben.refused({ type: 'game:next', round: 2, phase: 'round' })).toMatchObject({
      reason: 'NOT_HOST',
    });
    ada.send({ type: 'game:next', round: 2, phase: 'round' });
    expect(await result(ben, 2)).toMatchObject({ reason: 'skipped', isLast: true });
    ada.send({ type: 'game:end' });
    await ben.next('game:finished');
    expect(await ada.refused({ type: 'game:end' })).toMatchObject({ reason: 'NOT_IN_GAME' });
  });
});

it('game:end ends the round and the game; every question’s commitment holds; rounds are stored', async () => {
  const { ada, ben, gameId } = await startGame(arena, { rounds: 3, intermissionMs: 5000 });
  const chosen = await answer(arena, ben, 1, 'right');
  ada.send({ type: 'game:end' });
  const judged = await result(ben, 1);
  expect(judged).toMatchObject({ reason: 'skipped', isLast: true, nextInMs: 0 });
  const asked = await ben.next('game:question');
  const text = `${judged.questionId}:${judged.correctOptionId}:${judged.nonce}`;
  expect(asked.question.commitment).toBe(createHash('sha256').update(text).digest('base64url'));
  expect(judged.correctOptionId).toBe(chosen);
  await ben.next('game:finished');
  const { body } = await ben.http.get(`/api/v1/games/${gameId}`);
  expect(body.rounds).toMatchObject([
    { round: 1, ...asked.question, nonce: judged.nonce, reason: 'skipped' },
  ]);
  const own = body.rounds[0].answers.find(
    ({ userId }: { userId: string }) => userId === ben.user.id,
  );
  expect(own.elapsedMs).toBeGreaterThanOrEqual(0);
});

describe('the host of a waiting lobby', () => {
  it('configures, locks, removes; the removed can’t come back', async () => {
    const [ada, ben, cleo] = (await arena.players('Ada', 'Ben', 'Cleo')) as [
      Player,
      Player,
      Player,
    ];
    const code = await gather([ada, ben]);
    ada.send({ type: 'lobby:configure', settings: { rounds: 7 }, capacity: 3 });
    const told = await ben.next('lobby:state', ({ lobby }) => lobby.settings.rounds === 7);
    expect(told.lobby).toMatchObject({ capacity: 3, settings: { roundMs: 30_000 } });
    expect(
      await ada.refused({ type: 'lobby:configure', settings: { targetLanguage: 'en' } }),
    ).toMatchObject({ code: 400 });
    expect(await ben.refused({ type: 'lobby:lock', locked: true })).toMatchObject({
      reason: 'NOT_HOST',
    });
    ada.send({ type: 'lobby:lock', locked: true });
    await ben.next('lobby:state', ({ lobby }) => lobby.locked);
    expect((await cleo.http.post(`/api/v1/lobbies/${code}/join`, {})).body.code).toBe(
      'LOBBY_LOCKED',
    );
    expect((await ben.http.post(`/api/v1/lobbies/${code}/join`, {})).status).toBe(200);
    expect(await ada.refused({ type: 'lobby:kick', userId: ada.user.id })).toMatchObject({
      code: 400,
    });
    ada.send({ type: 'lobby:kick', userId: ben.user.id });
    expect((await ben.next('lobby:kicked')).code).toBe(code);
    expect((await ben.http.post(`/api/v1/lobbies/${code}/join`, {})).body.code).toBe('KICKED');
    expect((await ben.http.get(`/api/v1/lobbies/${code}`)).body.code).toBe('NOT_A_MEMBER');
    expect(await ben.refused({ type: 'lobby:join', code })).toMatchObject({ reason: 'KICKED' });
    expect(await ada.refused({ type: 'lobby:kick', userId: ben.user.id })).toMatchObject({
      reason: 'PLAYER_NOT_FOUND',
    });
    await ada.next('lobby:state', ({ lobby }) => lobby.players.length === 1);
  });
});

it('lobby:again opens the lobby once more: of any number at once one has an effect', async () => {
  const { ada, ben, code } = await startGame(arena, { rounds: 1 });
  for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
  await ben.next('game:finished');
  const seen = ben.messages.length;
  for (const ref of ['1', '2', '3']) ada.send({ type: 'lobby:again', ref });
  const { lobby } = await ben.next('lobby:state', ({ lobby }) => lobby.status === 'waiting', seen);
  expect(lobby).toMatchObject({ gameId: null, code });
  await ada.next('error', ({ reason }) => reason === 'LOBBY_NOT_FINISHED');
  ada.send({ type: 'lobby:start' });
  await ben.next('game:question', () => true, seen);
});

it('a host who presents is in no answers and scores, may read the game, and sees the progress', async () => {
  const settings = { rounds: 1, hostPlays: false };
  const { players, gameId } = await startGameOf(arena, ['Ada', 'Ben', 'Cleo'], settings);
  const [ada, ben, cleo] = players as [Player, Player, Player];
  await answer(arena, ben, 1, 'right');
  const told = await ada.next('game:progress', ({ answered }) => answered === 1);
  expect(told).toMatchObject({ gameId, round: 1, awaited: 2 });
  const { question } = await ada.next('game:question');
  const refused = await ada.refused({
    type: 'game:answer',
    questionId: question.questionId,
    optionId: 0,
  });
  expect(refused.reason).toBe('NOT_IN_GAME');
  await answer(arena, cleo, 1, 'wrong');
  const judged = await result(ada, 1);
  expect(judged.scores.map(({ userId }) => userId)).toEqual([ben.user.id, cleo.user.id]);
  await ada.next('game:finished');
  expect((await ada.http.get(`/api/v1/games/${gameId}`)).status).toBe(200);
  expect(eventsOf(ben).some(({ type }) => (type as string) === 'game:progress')).toBe(false);
});

it('with lateJoin one may join while the game runs, and go on with the old score after leaving', async () => {
  const { ada, ben, code } = await startGame(arena, { rounds: 3, lateJoin: true });
  const [cleo] = (await arena.players('Cleo')) as [Player];
  expect((await cleo.http.post(`/api/v1/lobbies/${code}/join`, {})).status).toBe(200);
  cleo.send({ type: 'lobby:join', code });
  await cleo.next('game:question');
  for (const player of [ada, ben, cleo]) await answer(arena, player, 1, 'right');
  expect((await result(ada, 1)).answers).toHaveLength(3);
  ada.send({ type: 'lobby:leave' });
  const { lobby } = await ben.next('lobby:state', ({ lobby }) => lobby.hostId === ben.user.id);
  expect(lobby.players).toHaveLength(2);
  for (const player of [ben, cleo]) await answer(arena, player, 2, 'right');
  await result(ben, 2);
  expect((await ada.http.post(`/api/v1/lobbies/${code}/join`, {})).status).toBe(200);
  ada.send({ type: 'lobby:join', code });
  await ada.next('game:question', ({ round }) => round === 3);
  for (const player of [ada, ben, cleo]) await answer(arena, player, 3, 'right');
  const { scores } = await result(ben, 3);
  expect(scores.find(({ userId }) => userId === ada.user.id)?.score).toBe(2);
});
