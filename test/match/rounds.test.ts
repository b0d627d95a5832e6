// All players answer the rounds, events are numbered, and the game ends. [contract 4, 5.5, 5.7]
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useArena } from '../support/arena.ts';
import { answer, gameEventsOf, startGame, startGameOf } from '../support/game.ts';
import { gather, type Player } from '../support/player.ts';

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
