// A game consists of rounds and intermissions, which its host can skip, end and repeat, and which players can leave. A
// question can stand for a while before it can be answered. [contract 5, 10, 11, 13, 22]
import { describe, expect, it } from 'vitest';
import { useArena } from '../support/arena.ts';
import {
  answer,
  eventsOf,
  openTab,
  questionIdOf,
  resultOf,
  startGame,
  startGameOf,
  untilRedisTime,
} from '../support/game.ts';
import { join, read } from '../support/player.ts';

const ROUND_MS = 30_000;

const arena = useArena({ env: { ROUND_DURATION_MS: `${ROUND_MS}` } });

describe('an intermission', () => {
  it('separates a result from the next question or the end, and is ended by the clock', async () => {
    const { ada, ben } = await startGame(arena, { rounds: 2, intermissionMs: 700 });
    for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
    const first = await resultOf(ada, 1);
    expect(first).toMatchObject({ nextInMs: 700, isLast: false, reason: 'all_answered' });
    const next = await ada.next('game:question', ({ round }) => round === 2);
    expect(Date.parse(next.deadline) - ROUND_MS).toBeGreaterThanOrEqual(Date.parse(first.nextAt));
    for (const player of [ada, ben]) await answer(arena, player, 2, 'right');
    expect(await resultOf(ben, 2)).toMatchObject({ nextInMs: 700, isLast: true });
    await ben.next('game:finished');
  });

  it('has lobby:state and the last result as its snapshot, and the host can skip it', async () => {
    const { ada, ben, code } = await startGame(arena, { rounds: 2, intermissionMs: 300_000 });
    for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
    expect(await resultOf(ben, 1)).not.toHaveProperty('question');
    const { question } = await ben.next('game:question');
    await ben.nextAfter({ type: 'lobby:join', code }, 'lobby:state', ({ snapshot }) => snapshot === true);
    await ben.acked({ type: 'game:ready' });
    const results = ben.messages.filter((message) => message.type === 'game:answer_result' && message.snapshot);
    expect(results).toMatchObject([{ question }, { question }]);
    ada.send({ type: 'game:next', round: 1, phase: 'intermission' });
    await ben.next('game:question', ({ round }) => round === 2);
    ada.send({ type: 'game:next', round: 2, phase: 'round' });
    expect(await resultOf(ben, 2)).toMatchObject({ reason: 'skipped', isLast: true });
    ada.send({ type: 'game:end' });
    await ben.next('game:finished');
  });
});

it('game:end ends the round and the game, which is stored with that round', async () => {
  const { ada, ben, gameId } = await startGame(arena, { rounds: 3, intermissionMs: 5000 });
  const chosen = await answer(arena, ben, 1, 'right');
  ada.send({ type: 'game:end' });
  const { nonce, ...judged } = await resultOf(ben, 1);
  expect(judged).toMatchObject({ reason: 'skipped', isLast: true, nextInMs: 0, correctOptionId: chosen });
  const { question } = await ben.next('game:question');
  await ben.next('game:finished');
  const { body } = await ben.http.get(`/api/v1/games/${gameId}`);
  expect(body.rounds).toMatchObject([{ round: 1, ...question, nonce, reason: 'skipped' }]);
  const bensAnswer = body.rounds[0].answers.find(({ userId }: { userId: string }) => userId === ben.user.id);
  expect(bensAnswer.elapsedMs).toBeGreaterThanOrEqual(0);
});

it('lobby:again reopens the lobby, and of several at once only one has an effect', async () => {
  const { ada, ben, code } = await startGame(arena, { rounds: 1 });
  for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
  await ben.next('game:finished');
  const reopen = () => {
    for (const ref of ['1', '2', '3']) ada.send({ type: 'lobby:again', ref });
  };
  const { lobby } = await ben.nextAfter(reopen, 'lobby:state', ({ lobby: { status } }) => status === 'waiting');
  expect(lobby).toMatchObject({ gameId: null, code });
  await ada.next('error', ({ reason }) => reason === 'LOBBY_NOT_FINISHED');
  await ben.nextAfter(() => ada.send({ type: 'lobby:start' }), 'game:question');
});

it('a host who presents is in no answers and scores, can read the game, and gets its progress', async () => {
  const settings = { rounds: 1, hostPlays: false };
  const { players, gameId } = await startGameOf(arena, ['Ada', 'Ben', 'Cleo'], settings);
  const [ada, ben, cleo] = players;
  await answer(arena, ben, 1, 'right');
  const progress = await ada.next('game:progress', ({ answered }) => answered === 1);
  expect(progress).toMatchObject({ gameId, round: 1, awaited: 2 });
  const refused = await ada.refused({ type: 'game:answer', questionId: await questionIdOf(ada), optionId: 0 });
  expect(refused.reason).toBe('NOT_IN_GAME');
  await answer(arena, cleo, 1, 'wrong');
  const judged = await resultOf(ada, 1);
  expect(judged.scores.map(({ userId }) => userId)).toEqual([ben.user.id, cleo.user.id]);
  await ada.next('game:finished');
  expect((await ada.http.get(`/api/v1/games/${gameId}`)).status).toBe(200);
  expect(eventsOf(ben).some(({ type }) => (type as string) === 'game:progress')).toBe(false);
});

it('with lateJoin a player can join a running game, and has the earlier score after leaving and joining again', async () => {
  const { ada, ben, code } = await startGame(arena, { rounds: 3, lateJoin: true });
  const [cleo] = await arena.players('Cleo');
  expect((await join(cleo, code)).status).toBe(200);
  await cleo.acked({ type: 'lobby:join', code });
  for (const player of [ada, ben, cleo]) await answer(arena, player, 1, 'right');
  expect((await resultOf(ada, 1)).answers).toHaveLength(3);
  ada.send({ type: 'lobby:leave' });
  const { lobby } = await ben.next('lobby:state', ({ lobby }) => lobby.hostId === ben.user.id);
  expect(lobby.players).toHaveLength(2);
  for (const player of [ben, cleo]) await answer(arena, player, 2, 'right');
  await resultOf(ben, 2);
  expect((await join(ada, code)).status).toBe(200);
  await ada.acked({ type: 'lobby:join', code });
  for (const player of [ada, ben, cleo]) await answer(arena, player, 3, 'right');
  const { scores } = await resultOf(ben, 3);
  expect(scores.find(({ userId }) => userId === ada.user.id)?.score).toBe(2);
});

it('a question cannot be answered before readMs, three seconds later in the first round, and its time counts from then', async () => {
  const opensInMs = 3500;
  const { ada, ben } = await startGame(arena, { readMs: 500, rounds: 1, scoring: 'speed' });
  const asked = await ada.next('game:question');
  expect(asked).toMatchObject({ opensInMs, durationMs: ROUND_MS, remainingMs: opensInMs + ROUND_MS });
  const early = { type: 'game:answer', questionId: asked.question.questionId, optionId: 0 };
  expect(await ada.refused(early)).toMatchObject({ code: 409, reason: 'ROUND_CLOSED' });
  const snapshot = await ada.nextAfter({ type: 'game:ready' }, 'game:question');
  expect(snapshot.opensInMs).toBeGreaterThan(0);
  expect(snapshot.opensInMs).toBeLessThanOrEqual(opensInMs);
  await untilRedisTime(arena.services.redis, Date.parse(asked.deadline) - ROUND_MS + 1);
  for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
  const { answers = [] } = await resultOf(ada, 1);
  // An answer at the opening scores 1000, and one second later 25 less.
  for (const { points } of answers) expect(points).toBeGreaterThan(800);
});

it('the end of a game finishes the lobby and stores the result before game:finished, for its players to read', async () => {
  const { ada, ben, code } = await startGame(arena, { rounds: 2 });
  const { gameId } = await ada.next('game:question');
  expect((await ada.http.get(`/api/v1/games/${gameId}`)).body.code).toBe('GAME_NOT_FOUND');
  for (const round of [1, 2]) {
    await answer(arena, ada, round, 'wrong');
    await answer(arena, ben, round, round === 1 ? 'right' : 'wrong');
  }
  const finished = await ben.next('game:finished');
  const { status, body } = await ben.http.get(`/api/v1/games/${gameId}`);
  expect(status).toBe(200);
  const winnerIds = [ben.user.id];
  const scores = [
    { userId: ben.user.id, name: 'Ben', score: 1 },
    { userId: ada.user.id, name: 'Ada', score: 0 },
  ];
  expect(body).toMatchObject({ gameId, code, winnerIds });
  expect(body.scores).toEqual(scores.map((of) => ({ ...of, correct: of.score })));
  expect(finished).toMatchObject({ gameId, winnerIds, scores });
  expect(Date.parse(body.finishedAt)).toBeGreaterThan(Date.parse(body.startedAt));
  const eve = await arena.player('Eve', 1);
  expect((await eve.http.get(`/api/v1/games/${gameId}`)).body.code).toBe('GAME_NOT_FOUND');
  expect((await read(ada, code)).body).toMatchObject({ status: 'finished', gameId, settings: body.settings });
  expect(await ada.refused({ type: 'lobby:start' })).toMatchObject({ reason: 'LOBBY_NOT_WAITING' });
});

it('lobby:leave ends a round that all others have answered with player_left, and removes the player permanently', async () => {
  const { players, code } = await startGameOf(arena, ['Ada', 'Ben', 'Carl'], { rounds: 2 });
  const [ada, ben, carl] = players;
  const elsewhere = await openTab(arena, carl, code);
  const questionId = await questionIdOf(elsewhere);
  for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
  const seen = carl.messages.length;
  carl.send({ type: 'lobby:leave' });
  const { reason, answers, scores } = await resultOf(ada, 1);
  // The answers are those of the players who are still in the round; the scores are those of all players.
  expect([reason, answers?.length, scores.length]).toEqual(['player_left', 2, 3]);
  // Each replica gets the event by a subscription of its own.
  for (const player of [ada, ben]) await player.next('lobby:state', ({ lobby }) => lobby.players.length === 2);
  for (const socket of [carl, elsewhere])
    for (const [message, refusal] of [
      [{ type: 'game:answer', questionId, optionId: 0 }, 'NOT_IN_GAME'],
      [{ type: 'game:ready' }, 'NOT_IN_LOBBY'],
      [{ type: 'lobby:join', code }, 'NOT_A_MEMBER'],
    ] as const)
      expect((await socket.refused(message)).reason).toBe(refusal);
  expect((await join(carl, code)).body.code).toBe('LOBBY_NOT_WAITING');
  for (const player of [ada, ben]) await answer(arena, player, 2, 'right');
  expect((await resultOf(ben, 2)).reason).toBe('all_answered');
  await ben.next('game:finished');
  expect(carl.messages.slice(seen).map(({ type }) => type)).toEqual(['error', 'error', 'error']);
});
