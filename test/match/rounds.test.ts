import { describe, expect, it } from 'vitest';
import { useArena } from '../support/arena.ts';
import { answer, gameEventsOf, startGame } from '../support/game.ts';
import { gather, type Player } from '../support/player.ts';

const arena = useArena({ env: { ROUND_DURATION_MS: '30000' } });

it('twenty players on both replicas get the same events', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `Player ${index}`);
  const players = await arena.players(...names);
  const [host] = players as [Player];
  const code = await gather(players, { capacity: 20, settings: { rounds: 1 } });
  host.send({ type: 'lobby:start' });
  await Promise.all(players.map((player) => answer(arena, player, 1, 'right')));
  for (const player of players) {
    expect((await player.next('game:finished')).scores).toHaveLength(20);
    expect(gameEventsOf(player)).toEqual(gameEventsOf(host));
  }
  expect((await host.http.get(`/api/v1/lobbies/${code}`)).body.players).toHaveLength(20);
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
    const eve = await arena.player('Eve', 1);
    expect((await eve.http.get(`/api/v1/games/${gameId}`)).body.code).toBe('GAME_NOT_FOUND');
    const lobby = (await ada.http.get(`/api/v1/lobbies/${code}`)).body;
    expect(lobby).toMatchObject({ status: 'finished', gameId });
    expect(await ada.refused({ type: 'lobby:start' })).toMatchObject({ reason: 'LOBBY_NOT_WAITING' });
  });
});

/** The time of a round whose end a test waits for, in ms: enough to answer on a busy machine. */
const ROUND_MS = 4000;

it('a round ends by the timer when its time is over, also for a disconnected player, with null for missing answers', async () => {
  const { ada, ben } = await startGame(arena, { rounds: 1, roundMs: ROUND_MS });
  const { deadline, durationMs } = await ada.next('game:question');
  expect(durationMs).toBe(ROUND_MS);
  const seen = ada.messages.length;
  ben.drop();
  await ada.next('lobby:state', ({ lobby }) => lobby.players[1]?.connected === false, seen);
  const selectedOptionId = await answer(arena, ada, 1, 'right');
  const result = await ada.next('game:answer_result');
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(deadline) - 5);
  expect(result.reason).toBe('timeout');
  expect(result.answers).toEqual([
    { userId: ada.user.id, selectedOptionId, isCorrect: true, points: 1 },
    { userId: ben.user.id, selectedOptionId: null, isCorrect: false, points: 0 },
  ]);
  expect((await ada.next('game:finished')).scores).toHaveLength(2);
});
