// A round with `waitFor: "present"` waits for players who are connected, or were a moment ago. The tests move the times
// of presence in Redis into the past instead of waiting. [contract 25]
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { awayKey, socketsKey } from '../../src/lobby/keys.ts';
import { AWAY_MS, updatePresence } from '../../src/lobby/presence.ts';
import { checkAbandonedRound, endOverduePhase } from '../../src/match/end-phase.ts';
import { openQuestion } from '../../src/match/rules.ts';
import { checkRound, readMatch } from '../../src/match/store.ts';
import { submitAnswer } from '../../src/match/submit-answer.ts';
import { useArena } from '../support/arena.ts';
import { useClockedGames } from '../support/clocked-games.ts';
import { eventually } from '../support/eventually.ts';
import { answer, resultOf, startGameOf } from '../support/game.ts';
import type { Player } from '../support/player.ts';

const PRESENT = { waitFor: 'present', roundMs: 300_000, rounds: 2 } as const;

describe('with sockets on two replicas', () => {
  const arena = useArena({ workers: 0 });
  const redis = () => arena.services.redis;
  const awayOf = async (lobbyId: string, player: Player) =>
    Number(await redis().zscore(awayKey(lobbyId), player.user.id));

  /** The player has disconnected, and so long ago that no round waits any more. */
  async function forget(lobbyId: string, player: Player): Promise<void> {
    await eventually(async () => expect(await awayOf(lobbyId, player)).toBeGreaterThan(0));
    expect(await redis().zadd(awayKey(lobbyId), 'XX', 'CH', Date.now() - 1, player.user.id)).toBe(1);
  }

  async function start(settings: object = {}) {
    const { players, ...game } = await startGameOf(arena, ['Ada', 'Ben', 'Carl'], { ...PRESENT, ...settings });
    const [ada, ben, carl] = players;
    return { ada, ben, carl, ...game };
  }

  const expectRound = (lobbyId: string, round: object) =>
    eventually(async () => expect(await checkRound(redis(), lobbyId)).toMatchObject(round));

  it('is over when the present players have answered, and waits for one who is away for 5 s', async () => {
    const { ada, ben, carl, lobbyId } = await start();
    await answer(arena, ada, 1, 'right');
    await answer(arena, ben, 1, 'wrong');
    const [leftMs, last] = [Date.now(), ada.lastSeq()];
    carl.drop();
    await ada.next('lobby:state', ({ lobby, seq }) => seq > last && lobby.connectedCount === 2);
    const noticedMs = (await awayOf(lobbyId, carl)) - AWAY_MS.closed;
    expect(noticedMs).toBeGreaterThanOrEqual(leftMs);
    expect(noticedMs).toBeLessThanOrEqual(Date.now());
    expect(await checkRound(redis(), lobbyId)).toMatchObject({ answered: 2, awaited: 3 });
    await forget(lobbyId, carl);
    const result = await resultOf(ben, 1);
    expect(result.reason).toBe('all_answered');
    expect(result.answers?.map(({ selectedOptionId }) => selectedOptionId === null)).toEqual([false, false, true]);
    // The last answer of the present ends the next round at once.
    await answer(arena, ada, 2, 'right');
    await answer(arena, ben, 2, 'right');
    expect((await resultOf(ben, 2)).reason).toBe('all_answered');
  });

  it('waits again for who comes back, and ends when the last awaited one leaves', async () => {
    const { ada, ben, carl, code, lobbyId } = await start();
    await answer(arena, ada, 1, 'right');
    carl.drop();
    await forget(lobbyId, carl);
    await expectRound(lobbyId, { awaited: 2 });
    await carl.connect();
    carl.send({ type: 'lobby:join', code });
    await expectRound(lobbyId, { awaited: 3 });
    await answer(arena, carl, 1, 'right');
    await expectRound(lobbyId, { answered: 2 });
    ben.send({ type: 'lobby:leave' });
    expect((await resultOf(ada, 1)).reason).toBe('player_left');
    await answer(arena, ada, 2, 'right');
    const tab = carl.messages.length;
    carl.drop();
    await forget(lobbyId, carl);
    expect((await resultOf(ada, 2)).reason).toBe('all_answered');
    expect(carl.messages).toHaveLength(tab);
  });

  it('has nobody to wait for before the first answer, and shows the host whom it waits for', async () => {
    const { ada: host, ben, carl, code, lobbyId } = await start({ hostPlays: false });
    carl.drop();
    await forget(lobbyId, carl);
    await host.next('game:progress', ({ answered, awaited }) => answered === 0 && awaited === 1);
    ben.drop();
    await forget(lobbyId, ben);
    await host.next('game:progress', ({ answered, awaited }) => answered === 0 && awaited === 0);
    expect(await checkRound(redis(), lobbyId)).toMatchObject({ answered: 0, awaited: 0, players: 2 });
    await ben.connect();
    ben.send({ type: 'lobby:join', code });
    await host.next('game:progress', ({ awaited }) => awaited === 1, host.messages.length);
    await answer(arena, ben, 1, 'right');
    expect((await resultOf(host, 1)).reason).toBe('all_answered');
    // Who is still away is not among the awaited of the next round.
    await host.next('game:progress', ({ round, answered, awaited }) => round === 2 && answered === 0 && awaited === 1);
  });

  it('waits for 15 s for the users of a replica that is stopped, and then ends by any touch without a worker', async () => {
    const { ada, ben, carl, lobbyId } = await start();
    await answer(arena, ada, 1, 'right');
    await expectRound(lobbyId, { answered: 1 });
    ada.drop();
    carl.drop();
    for (const player of [ada, carl]) await forget(lobbyId, player);
    const [here, there] = arena.replicas;
    await there?.stop();
    expect(await ben.whenClosed()).toBe(1012);
    const leftMs = (await awayOf(lobbyId, ben)) - Date.now();
    expect(leftMs).toBeGreaterThan(AWAY_MS.restart - 5000);
    expect(await checkRound(redis(), lobbyId)).toMatchObject({ answered: 1, awaited: 2 });
    await forget(lobbyId, ben);
    await endOverduePhase(here.services, lobbyId);
    expect(await readMatch(redis(), lobbyId)).toMatchObject({ round: 2, status: 'open' });
  });
});

describe('without sockets', () => {
  const { services, hostId, gather, start, startWorker, eventsOf } = useClockedGames();
  const ENDED = ['game:question 1', 'game:answer_result 1 all_answered', 'game:question 2'];
  const expectEnded = (lobbyId: string) =>
    eventually(async () => expect(await eventsOf(lobbyId)).toEqual(ENDED), { timeoutMs: 15_000 });

  /** Starts a game of 60 s a round, in which one of two players answers. */
  async function startAnswered(): Promise<{ lobbyId: string; entries: string[] }> {
    const lobbyId = await gather(60_000, 0, { waitFor: 'present' });
    await start(lobbyId);
    const match = await readMatch(services.redis, lobbyId);
    const { questionId } = openQuestion(match as NonNullable<typeof match>).question;
    const given = { userId: hostId(), questionId, given: { optionId: 0 }, token: randomUUID() };
    await submitAnswer(services, lobbyId, given);
    return { lobbyId, entries: await services.redis.zrange(socketsKey(lobbyId), '0', '-1') };
  }

  it('where nobody is left, its clock ends it when the last one has been away for long enough', async () => {
    const { lobbyId, entries } = await startAnswered();
    startWorker();
    // The clock's first run takes place before anybody disconnects.
    const { gameId = '' } = (await readMatch(services.redis, lobbyId)) ?? {};
    await eventually(async () => expect((await services.clock.find(gameId))?.data.prepared).toBeNull());
    const sockets = entries
      .map((entry) => entry.split(':'))
      .map(([userId = '', socketId = '']) => ({ userId, socketId }));
    await updatePresence(services, lobbyId, 'remove', sockets, 3000);
    await checkAbandonedRound(services, lobbyId);
    expect(await eventsOf(lobbyId)).toEqual(ENDED.slice(0, 1));
    await expectEnded(lobbyId);
  });

  it('after a crash its clock ends it 5 s after the places are free, whoever else is gone', async () => {
    const { lobbyId, entries } = await startAnswered();
    const expiredMs = Date.now() - AWAY_MS.closed + 2500;
    for (const entry of entries) await services.redis.zadd(socketsKey(lobbyId), 'XX', 'CH', expiredMs, entry);
    startWorker();
    await eventually(async () => expect(await checkRound(services.redis, lobbyId)).toMatchObject({ awaited: 2 }));
    expect(await eventsOf(lobbyId)).toEqual(ENDED.slice(0, 1));
    await expectEnded(lobbyId);
  });
});
