// A game goes on without a worker, after a crash between two steps, and while PostgreSQL is away. [contract 5.2, 5.5, 5.7]
import { describe, expect, it } from 'vitest';
import { kickFromLobby } from '../../src/lobby/host.ts';
import { matchKey, questionsKey, roundsKey } from '../../src/lobby/keys.ts';
import { leaveLobby } from '../../src/lobby/leave-lobby.ts';
import { endPhase } from '../../src/match/end-phase.ts';
import { readMatch } from '../../src/match/store.ts';
import { useArenaBehindProxy } from '../support/arena.ts';
import {
  answer,
  eventsOf,
  lobbyIdOf,
  questionIdOf,
  resultOf,
  startGame,
  startGameOf,
  untilRedisTime,
} from '../support/game.ts';
import type { Player } from '../support/player.ts';

/** The settings of a game whose rounds a test lets end. */
const SHORT = { rounds: 2, roundMs: 2000 };

const { arena, postgres } = useArenaBehindProxy({
  workers: 0,
  env: { ROUND_DURATION_MS: '30000', STORE_TIMEOUT_MS: '3000' },
});

/** @returns the first question, when its time is over */
async function untilOverdue(player: Player) {
  const asked = await player.next('game:question');
  await untilRedisTime(arena.services.redis, Date.parse(asked.deadline) + 1);
  return asked;
}

describe('without any worker', () => {
  it.concurrent('an answer after the deadline is 409 ROUND_CLOSED, and the game continues', async () => {
    const { ada, ben } = await startGame(arena, SHORT);
    const { question } = await untilOverdue(ada);
    const late = { type: 'game:answer', questionId: question.questionId, optionId: 0 };
    expect(await ada.refused(late)).toMatchObject({ code: 409, reason: 'ROUND_CLOSED' });
    const result = await ben.next('game:answer_result');
    expect(result.reason).toBe('timeout');
    expect(result.answers?.map(({ selectedOptionId }) => selectedOptionId)).toEqual([null, null]);
    await questionIdOf(ben, 2);
  });

  it.concurrent.each(['game:ready', 'lobby:join'])('%s ends a round that is overdue', async (type) => {
    const { ada, code } = await startGame(arena, SHORT);
    await untilOverdue(ada);
    ada.send({ type, ...(type === 'lobby:join' ? { code } : {}) });
    await questionIdOf(ada, 2);
  });

  it.concurrent('a game ends without any message of its players', async () => {
    const { ada, ben, gameId } = await startGame(arena, SHORT);
    for (const player of [ada, ben]) expect((await player.next('game:finished')).gameId).toBe(gameId);
    expect(eventsOf(ada).filter(({ type }) => type === 'game:finished')).toHaveLength(1);
  });
});

it.concurrent('the questions of the longest possible game outlive it', async () => {
  const longest = { rounds: 50, roundMs: 300_000, intermissionMs: 300_000 };
  const { ada } = await startGame(arena, longest);
  expect(await arena.services.redis.pttl(questionsKey(lobbyIdOf(ada)))).toBeGreaterThan(longest.rounds * 600_000);
});

it.concurrent('the keys of a game expire, but not from phase to phase', async () => {
  const { ada, ben, lobbyId } = await startGame(arena, { rounds: 2 });
  const { redis } = arena.services;
  const [match, rounds] = [matchKey(lobbyId), roundsKey(lobbyId)];
  expect(await redis.pttl(match)).toBeGreaterThan(60_000);
  await redis.pexpire(match, 60_000);
  for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
  await questionIdOf(ada, 2);
  for (const key of [match, rounds]) expect(await redis.pttl(key)).toBeGreaterThan(60_000);
});

describe('after a crash between the announcement that a player is gone and the change of the game', () => {
  it.concurrent.each<[string, (host: Player, gone: Player) => Promise<unknown>]>([
    ['left', (host, { user }) => leaveLobby(arena.services, lobbyIdOf(host), [user.id])],
    ['was removed', (host, { user }) => kickFromLobby(arena.services, lobbyIdOf(host), host.user.id, user.id)],
  ])('no round waits for a player who %s', async (_what, crashAfterAnnouncing) => {
    const { players } = await startGameOf(arena, ['Ada', 'Ben', 'Cleo'], { rounds: 2 });
    const [ada, ben, cleo] = players;
    for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
    await crashAfterAnnouncing(ada, cleo);
    const { reason, answers } = await resultOf(ada, 1);
    expect([reason, answers?.length]).toEqual(['player_left', 2]);
    for (const player of [ada, ben]) await answer(arena, player, 2, 'right');
    expect((await resultOf(ben, 2)).reason).toBe('all_answered');
  });
});

it('a game that waits for PostgreSQL outlives the expiry of its keys until its result is stored', async () => {
  const { ada, ben } = await startGame(arena, { rounds: 1 });
  const { redis } = arena.services;
  const keys = [matchKey, questionsKey, roundsKey].map((keyOf) => keyOf(lobbyIdOf(ada)));
  await postgres.block();
  for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
  await ben.next('game:answer_result');
  // PostgreSQL may be away for hours: no key has an expiry meanwhile, not even after a further attempt.
  for (const key of keys) expect(await redis.pttl(key)).toBe(-1);
  for (const key of keys) await redis.pexpire(key, 20_000);
  await expect(endPhase(arena.services, lobbyIdOf(ada))).rejects.toThrow();
  for (const key of keys) expect(await redis.pttl(key)).toBe(-1);
  expect((await readMatch(redis, lobbyIdOf(ada)))?.status).toBe('finishing');
  await postgres.unblock();
  const { gameId } = await ben.next('game:finished');
  const { body } = await ada.http.get(`/api/v1/games/${gameId}`);
  expect(body.rounds).toHaveLength(1);
  // Whoever stores the result reads from Redis when the game ended.
  expect(Date.parse(body.finishedAt)).toBeGreaterThan(Date.parse(body.startedAt));
  // The game can expire again, and what is stored is no longer there.
  expect(await redis.pttl(keys[0] as string)).toBeGreaterThan(0);
  expect(await redis.exists(...keys.slice(1))).toBe(0);
});
