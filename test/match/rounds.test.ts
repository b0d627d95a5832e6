// Rounds end by answers or by the timer, all events come in order, and the game ends. [contract 4, 5.5, 5.6, 5.7]
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useArena } from '../support/arena.ts';
import { answer, eventsOf, gameEventsOf, startGame, startGameOf } from '../support/game.ts';
import { gather, type Player, playerOf } from '../support/player.ts';

const arena = useArena({ env: { ROUND_DURATION_MS: '30000' } });

it('players’ names are sent unchanged, whatever characters they contain', async () => {
  const names = ['"Ada"', 'Бен \\n 🎲', "d'Arc\u2028%s {1}"];
  const { players } = await startGameOf(arena, names, { rounds: 1 });
  for (const player of players) await answer(arena, player, 1, 'right');
  const { scores, gameId } = await (players[0] as Player).next('game:finished');
  expect(scores.map(({ name }) => name)).toEqual(names);
  const { body } = await (players[1] as Player).http.get(`/api/v1/games/${gameId}`);
  expect(body.scores.map(({ name }: { name: string }) => name)).toEqual(names);
});

it('fifty players on both replicas get the same events', async () => {
  const names = Array.from({ length: 50 }, (_, index) => `Player ${index}`);
  const players = await arena.players(...names);
  const [host] = players as [Player];
  const code = await gather(players, { capacity: 50, settings: { rounds: 1 } });
  host.send({ type: 'lobby:start' });
  await Promise.all(players.map((player) => answer(arena, player, 1, 'right')));
  for (const player of players) {
    expect((await player.next('game:finished')).scores).toHaveLength(50);
    expect(gameEventsOf(player)).toEqual(gameEventsOf(host));
  }
  expect((await host.http.get(`/api/v1/lobbies/${code}`)).body.players).toHaveLength(50);
});

describe('the end of a game', () => {
  it('finishes the lobby and stores the result before game:finished, for its players to read', async () => {
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
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const { settings } = (await ada.http.get(`/api/v1/lobbies/${code}`)).body;
    expect(body).toEqual({
      gameId,
      code,
      settings,
      startedAt: time,
      finishedAt: time,
      scores: [
        { userId: ben.user.id, name: 'Ben', score: 1, correct: 1 },
        { userId: ada.user.id, name: 'Ada', score: 0, correct: 0 },
      ],
      winnerIds: [ben.user.id],
      rounds: [1, 2].map((round) => expect.objectContaining({ round, reason: 'all_answered' })),
    });
    expect(finished).toEqual({
      type: 'game:finished',
      seq: finished.seq,
      mark: expect.any(String),
      gameId,
      winnerIds: body.winnerIds,
      scores: [
        { userId: ben.user.id, name: 'Ben', score: 1 },
        { userId: ada.user.id, name: 'Ada', score: 0 },
      ],
    });
    expect(Date.parse(body.finishedAt)).toBeGreaterThan(Date.parse(body.startedAt));
    expect((await ada.http.get(`/api/v1/games/${gameId}`)).body).toEqual(body);
    const lobby = (await ada.http.get(`/api/v1/lobbies/${code}`)).body;
    expect(lobby).toMatchObject({ status: 'finished', gameId });
    expect(await ada.refused({ type: 'lobby:start' })).toMatchObject({ reason: 'LOBBY_NOT_WAITING' });
  });

  it('does not show the result to other users, who get 404 GAME_NOT_FOUND as for an unknown game', async () => {
    const { players } = await startGameOf(arena, ['Ada', 'Ben'], { rounds: 1 });
    for (const player of players) await answer(arena, player, 1, 'wrong');
    const { gameId } = await (players[0] as Player).next('game:finished');
    const eve = await arena.player('Eve', 1);
    for (const id of [gameId, randomUUID()]) {
      const { status, body } = await eve.http.get(`/api/v1/games/${id}`);
      expect([status, body.code]).toEqual([404, 'GAME_NOT_FOUND']);
    }
  });
});

/** The time of a round whose end a test waits for, in ms: enough to answer on a busy machine. */
const ROUND_MS = 4000;

describe('a round', () => {
  it('ends by the timer when its time is over, with null and no points for missing answers', async () => {
    const { ada, ben } = await startGame(arena, { rounds: 1, roundMs: ROUND_MS });
    const { deadline, durationMs } = await ada.next('game:question');
    expect(durationMs).toBe(ROUND_MS);
    const selectedOptionId = await answer(arena, ada, 1, 'right');
    const result = await ben.next('game:answer_result');
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(deadline) - 5);
    expect(result.reason).toBe('timeout');
    expect(result.answers).toEqual([
      { userId: ada.user.id, selectedOptionId, isCorrect: true, points: 1 },
      { userId: ben.user.id, selectedOptionId: null, isCorrect: false, points: 0 },
    ]);
  });

  it('waits until the deadline for a disconnected player', async () => {
    const { ada, ben } = await startGame(arena, { rounds: 1, roundMs: ROUND_MS });
    const seen = ada.messages.length;
    ben.drop();
    await ada.next('lobby:state', ({ lobby }) => lobby.players[1]?.connected === false, seen);
    await answer(arena, ada, 1, 'right');
    const result = await ada.next('game:answer_result');
    expect(result.reason).toBe('timeout');
    expect(result.answers).toHaveLength(2);
    expect((await ada.next('game:finished')).scores).toHaveLength(2);
  });

  it('ends exactly once, however many clocks, answers and game:ready messages arrive at once', async () => {
    const extra = await Promise.all([arena.startWorker(), arena.startWorker()]);
    const players = await arena.players('Ada', 'Ben', 'Carl', 'Dora');
    const [ada] = players as [Player];
    const code = await gather(players, { settings: { rounds: 2, roundMs: ROUND_MS } });
    // The watcher is connected from the start, so that it gets every result.
    const watcher = playerOf(ada.user, arena.replicas[1]?.url as string);
    await watcher.connect();
    watcher.send({ type: 'lobby:join', code });
    await watcher.next('lobby:state');
    ada.send({ type: 'lobby:start' });
    for (const round of [1, 2]) {
      const { remainingMs } = await ada.next('game:question', (asked) => asked.round === round);
      // All players ask for the question exactly at the deadline.
      setTimeout(() => {
        for (const player of players) player.send({ type: 'game:ready' });
      }, remainingMs);
      await ada.next('game:answer_result', (result) => result.round === round);
    }
    await watcher.next('game:finished');
    const results = eventsOf(watcher).filter(({ type }) => type === 'game:answer_result');
    expect(results).toHaveLength(2);
    await Promise.all(extra.map((worker) => worker.stop()));
  });
});

describe('on every socket', () => {
  it('question r comes before result r, result r before question r + 1, and game:finished last', async () => {
    const rounds = 4;
    const { players } = await startGameOf(arena, ['Ada', 'Ben', 'Carl', 'Dora'], { rounds, roundMs: ROUND_MS });
    const [ada, , carl] = players as [Player, Player, Player, Player];
    // Odd rounds end by the last answer, even ones by the timer.
    for (const round of [1, 2, 3, 4]) {
      const answering = round % 2 ? players : players.slice(1);
      await Promise.all(answering.map((player) => answer(arena, player, round, 'right')));
      await carl.next('game:answer_result', (result) => result.round === round);
    }
    const expected = [1, 2, 3, 4].flatMap((round) => [
      ['game:question', round],
      ['game:answer_result', round],
    ]);
    for (const player of players) {
      await player.next('game:finished');
      const received = gameEventsOf(player).map((event) => [event.type, 'round' in event && event.round]);
      expect(received).toEqual([...expected, ['game:finished', false]]);
      expect(gameEventsOf(player)).toEqual(gameEventsOf(ada));
    }
    const questions = gameEventsOf(ada).flatMap((event) => (event.type === 'game:question' ? [event] : []));
    expect(new Set(questions.map(({ question }) => question.questionId)).size).toBe(rounds);
    expect(new Set(questions.map(({ question }) => `${question.prompt}|${question.gloss}`)).size).toBe(rounds);
    for (const { totalRounds, gameId } of questions)
      expect([totalRounds, gameId]).toEqual([rounds, questions[0]?.gameId]);
  });
});
