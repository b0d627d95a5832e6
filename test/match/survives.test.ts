import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kickFromLobby } from '../../src/lobby/host.ts';
import { leaveLobby } from '../../src/lobby/leave-lobby.ts';
import { saveResult } from '../../src/match/finish-match.ts';
import { endOfPhase, type PhaseEnd, resultOf } from '../../src/match/rules.ts';
import { readMatch, storeAnswer, storePhaseEnd } from '../../src/match/store.ts';
import type { Services } from '../../src/services.ts';
import { type Arena, startArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { answer, eventsOf, lobbyIdOf, questionIdOf, startGame, startGameOf, untilRedisTime } from '../support/game.ts';
import type { Player } from '../support/player.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

/** The round time, in ms, of tests that need its end. */
const SHORT_MS = 2000;
/** The round time, in ms, of tests that end before it. */
const LONG_MS = 30_000;

let arena: Arena;
let shortArena: Arena;
let postgres: TcpProxy;

beforeAll(async () => {
  shortArena = await startArena({ workers: 0, env: { ROUND_DURATION_MS: `${SHORT_MS}` } });
  arena = await startArena({
    workers: 0,
    env: { ROUND_DURATION_MS: `${LONG_MS}` },
    async through({ databaseUrl, ...rest }) {
      const { hostname: host, port } = new URL(databaseUrl);
      postgres = await startTcpProxy({ host, port: Number(port) });
      const proxied = new URL(databaseUrl);
      proxied.port = String(postgres.port);
      return { ...rest, databaseUrl: proxied.href };
    },
  });
});
afterAll(async () => {
  await shortArena.stop();
  await arena.stop();
  await postgres.stop();
});

const services = (of = arena) => of.replicas[0]?.services as Services;
const match = async (player: Player) => {
  const found = await readMatch(services().redis, lobbyIdOf(player));
  if (!found) throw new Error('there is no game');
  return found;
};
const endsOf = (player: Player) => eventsOf(player).filter(({ type }) => type === 'game:finished');

/** Stores all players' answers like a process that crashes right afterwards. @returns the outcomes */
async function storeAnswers(players: Player[]) {
  const stored: Awaited<ReturnType<typeof storeAnswer>>[] = [];
  for (const player of players) {
    const questionId = await questionIdOf(player);
    const given = { questionId, userId: player.user.id, given: { optionId: 0 }, token: player.user.id };
    stored.push(await storeAnswer(services().redis, lobbyIdOf(player), given));
  }
  return stored;
}

describe('without any worker', () => {
  it.concurrent('an answer after the deadline is 409 ROUND_CLOSED, and the game continues', async () => {
    const { ada, ben } = await startGame(shortArena, { rounds: 2 });
    const { deadline, question } = await ada.next('game:question');
    await untilRedisTime(services(shortArena).redis, Date.parse(deadline) + 1);
    const late = { type: 'game:answer', questionId: question.questionId, optionId: 0 };
    expect(await ada.refused(late)).toMatchObject({ code: 409, reason: 'ROUND_CLOSED' });
    const result = await ben.next('game:answer_result');
    expect(result.reason).toBe('timeout');
    expect(result.answers?.map(({ selectedOptionId }) => selectedOptionId)).toEqual([null, null]);
    await questionIdOf(ben, 2);
  });

  it.concurrent.each(['game:ready', 'lobby:join'])('%s ends a round that is overdue', async (type) => {
    const { ada, code } = await startGame(shortArena, { rounds: 2 });
    const { deadline } = await ada.next('game:question');
    await untilRedisTime(services(shortArena).redis, Date.parse(deadline) + 1);
    ada.send({ type, ...(type === 'lobby:join' ? { code } : {}) });
    await questionIdOf(ada, 2);
  });

  it.concurrent('a game ends without any message of its players', async () => {
    const { ada, ben, gameId } = await startGame(shortArena, { rounds: 2 });
    for (const player of [ada, ben]) expect((await player.next('game:finished')).gameId).toBe(gameId);
    expect(endsOf(ada)).toHaveLength(1);
  });
});

describe('after a crash', () => {
  it.concurrent('between the last answer and the end of the round, another process ends it', async () => {
    const { ada, ben } = await startGame(arena, { rounds: 1 });
    const [first, last] = await storeAnswers([ada, ben]);
    expect(first).toEqual({ outcome: 'stored', match: null });
    // The process that stored the last answer would have ended the round with the match in this result.
    expect(last).toMatchObject({ outcome: 'complete', match: { round: 1, status: 'open' } });
    expect(last?.match?.answers.size).toBe(2);
    expect((await ada.next('game:answer_result')).reason).toBe('all_answered');
    await ada.next('game:finished');
  });

  it.concurrent('between the storing of the result and its announcement, another process announces it once', async () => {
    const { ada, ben } = await startGame(arena, { rounds: 1 });
    await storeAnswers([ada, ben]);
    const open = await match(ada);
    await storePhaseEnd(services(), open, endOfPhase(open, 0) as PhaseEnd);
    const over = await match(ada);
    await saveResult(services().postgres, over, resultOf(over), []);
    const finished = await ben.next('game:finished');
    await ada.next('game:finished');
    expect(finished.scores).toHaveLength(2);
    expect(endsOf(ben)).toHaveLength(1);
  });
});

it.concurrent('the questions of the longest possible game outlive it', async () => {
  const longest = { rounds: 50, roundMs: 300_000, intermissionMs: 300_000 };
  const { ada } = await startGame(arena, longest);
  const questions = `lobby:{${lobbyIdOf(ada)}}:questions`;
  expect(await services().redis.pttl(questions)).toBeGreaterThan(longest.rounds * 600_000);
});

describe('after a crash between the announcement that a player is gone and the change of the game', () => {
  it.concurrent.each<[string, (host: Player, gone: Player) => Promise<unknown>]>([
    ['left', (host, { user }) => leaveLobby(services(), lobbyIdOf(host), [user.id])],
    ['was removed', (host, { user }) => kickFromLobby(services(), lobbyIdOf(host), host.user.id, user.id)],
  ])('no round waits for a player who %s', async (_what, crashAfterAnnouncing) => {
    const { players } = await startGameOf(arena, ['Ada', 'Ben', 'Cleo'], { rounds: 2 });
    const [ada, ben, cleo] = players as [Player, Player, Player];
    for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
    await crashAfterAnnouncing(ada, cleo);
    const { reason, answers } = await ada.next('game:answer_result');
    expect([reason, answers?.length]).toEqual(['player_left', 2]);
    for (const player of [ada, ben]) await answer(arena, player, 2, 'right');
    const { reason: nextReason } = await ben.next('game:answer_result', ({ round }) => round === 2);
    expect(nextReason).toBe('all_answered');
  });
});

it('a game that waits for PostgreSQL outlives the expiry of its keys until its result is stored', async () => {
  const { ada, ben } = await startGame(arena, { rounds: 1 });
  const { redis } = services();
  const keys = ['match', 'questions', 'rounds'].map((name) => `lobby:{${lobbyIdOf(ada)}}:${name}`);
  await postgres.block();
  for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
  await ben.next('game:answer_result');
  // This stands for hours: the keys would expire, but the next attempt to store the result keeps them.
  for (const key of keys) expect(await redis.pexpire(key, 20_000)).toBe(1);
  for (const key of keys) await eventually(async () => expect(await redis.pttl(key)).toBe(-1));
  expect((await match(ada)).status).toBe('finishing');
  await postgres.unblock();
  const { gameId } = await ben.next('game:finished');
  const { body } = await ada.http.get(`/api/v1/games/${gameId}`);
  expect(body.rounds).toHaveLength(1);
  // The game can expire again, and what is stored is no longer there.
  expect(await redis.pttl(keys[0] as string)).toBeGreaterThan(0);
  expect(await redis.exists(...keys.slice(1))).toBe(0);
});
