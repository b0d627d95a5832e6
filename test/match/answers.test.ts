// game:answer is refused, or stored once, and scored. [contract 4, 5.4, 17]
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { lobbyKeys, matchKey } from '../../src/lobby/keys.ts';
import { useArena } from '../support/arena.ts';
import { answer, lobbyIdOf, questionIdOf, startGame, startGameOf } from '../support/game.ts';
import { gather, join, type Player, playerOf, read } from '../support/player.ts';

const arena = useArena({ env: { ROUND_DURATION_MS: '30000' } });

const refusal = (code: number, reason: string) => ({ type: 'error', code, reason });

const answerWith = (questionId: string, optionId: unknown = 0) => ({ type: 'game:answer', questionId, optionId });

const matchVersion = async (player: Player) => arena.services.redis.hget(matchKey(lobbyIdOf(player)), 'version');

describe('game:answer', () => {
  it('sends nothing when it is stored', async () => {
    const { ada, ben } = await startGame(arena);
    const seen = [ada.messages.length, ben.messages.length];
    ada.send(answerWith(await questionIdOf(ada)));
    // The service answers a socket's messages in order, so that the refusal follows the effect of the answer.
    await ada.refused(answerWith(randomUUID()));
    ben.send({ type: 'game:ready' });
    await ben.next('game:question', () => true, seen[1]);
    expect(ada.messages.slice(seen[0]).map(({ type }) => type)).toEqual(['error']);
    expect(ben.messages.slice(seen[1]).map(({ type }) => type)).toEqual(['game:question']);
  });

  it('is acknowledged again, if it has a ref, until its round is over, while another is 409 ALREADY_ANSWERED; neither changes anything', async () => {
    const { ada, ben, code } = await startGame(arena, { rounds: 1, scoring: 'speed', intermissionMs: 60_000 });
    const chosen = await answer(arena, ada, 1, 'right');
    const same = answerWith(await questionIdOf(ada), chosen);
    await ada.acked(same);
    const [seen, version] = [ben.messages.length, await matchVersion(ben)];
    ada.send(same);
    // A client that doesn't know whether its answer has arrived sends it again, to another replica.
    ada.drop();
    await ada.connect(arena.replicas[1]?.url);
    await ada.acked({ type: 'lobby:join', code, since: ada.lastSeq() });
    await ada.acked(same);
    const other = { ...same, optionId: (chosen + 2) % 4 };
    expect(await ada.refused(other)).toMatchObject(refusal(409, 'ALREADY_ANSWERED'));
    expect(await matchVersion(ben)).toBe(version);
    await answer(arena, ben, 1, 'wrong');
    const { answers } = await ben.next('game:answer_result', () => true, seen);
    expect(answers?.[0]).toMatchObject({ selectedOptionId: chosen, isCorrect: true });
    expect(await ada.refused(same)).toMatchObject(refusal(409, 'ROUND_CLOSED'));
  });

  it('is `yourAnswer` in every snapshot of its question for its player, null for one without, and in no event', async () => {
    const settings = { rounds: 1, hostPlays: false };
    const { players, code } = await startGameOf(arena, ['Ada', 'Ben', 'Cleo'], settings);
    const [ada, ben, cleo] = players;
    await ben.acked(answerWith(await questionIdOf(ben), 2));
    const shown = async (by: Player, act: () => unknown) =>
      (await by.nextAfter(act, 'game:question', ({ snapshot }) => snapshot === true)).yourAnswer;
    const own = new Map([
      [ada, undefined],
      [ben, { optionId: 2 }],
      [cleo, null],
    ]);
    for (const [player, yourAnswer] of own) {
      const elsewhere = playerOf(player.user, arena.replicas[1]?.url as string);
      await elsewhere.connect();
      for (const message of [{ type: 'lobby:join', code }, { type: 'game:ready' }, { type: 'lobby:join', code }])
        expect(await shown(elsewhere, () => elsewhere.acked(message))).toEqual(yourAnswer);
      await elsewhere.connect();
      await elsewhere.acked({ type: 'lobby:join', code, since: 0 });
      const events = [...player.messages, ...elsewhere.messages].filter(
        (message) => message.type === 'game:question' && !message.snapshot,
      );
      expect(events).toHaveLength(2);
      for (const event of events) expect(event).not.toHaveProperty('yourAnswer');
    }
    // Redis has lost the last event, so that everybody gets a snapshot.
    const loss = arena.services.redis.hset(lobbyKeys(lobbyIdOf(ada))[0], 'mark', 'another');
    const seen = await Promise.all(players.map((player) => shown(player, () => loss)));
    expect(seen).toEqual([...own.values()]);
  });
});

it('a game can be neither seen nor answered by an outsider who knows its code, question and id, and gets no event of it', async () => {
  const [eve] = await arena.players('Eve');
  await gather([eve]);
  const { ada, ben, code, gameId } = await startGame(arena, { rounds: 2 });
  const first = await questionIdOf(ada);
  expect((await eve.refused(answerWith(first))).reason).toBe('NOT_IN_GAME');
  for (const since of [undefined, 0])
    expect((await eve.refused({ type: 'lobby:join', code, since })).reason).toBe('NOT_A_MEMBER');
  expect((await read(eve, code)).status).toBe(403);
  expect((await eve.http.get(`/api/v1/games/${gameId}`)).status).toBe(404);
  expect((await join(eve, code)).status).toBe(409);
  for (const round of [1, 2]) for (const player of [ada, ben]) await answer(arena, player, round, 'right');
  await ada.next('game:finished');
  // The service sends in order: all that it sent before this ack would have arrived.
  await eve.acked({ type: 'game:ready' });
  const received = JSON.stringify(eve.messages);
  for (const secret of [gameId, first, await questionIdOf(ada, 2), ada.user.id, ben.user.id, code])
    expect(received).not.toContain(secret);
});
