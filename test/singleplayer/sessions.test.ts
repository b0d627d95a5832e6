// A quiz for one has a bounded size, number and lifetime in Redis. [contract 3]
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { GameSession } from '../../src/singleplayer/schema.ts';
import { judgeAnswer } from '../../src/singleplayer/store.ts';
import { eventually } from '../support/eventually.ts';
import type { HttpClient } from '../support/http-client.ts';
import { storeList } from '../support/lists.ts';
import { ANSWER, START, useQuizzes } from '../support/quizzes.ts';
import { startService } from '../support/service.ts';

const { stores, here, there, user, client, redis, newClient, start, answer, correctOption, isLive, keysOf } =
  useQuizzes();

describe('a session', () => {
  test('takes less than 32 KiB in Redis however long its words are, and survives the deletion of their list', async () => {
    const long = (at: number) => `${at + 100} ${'😀'.repeat(116)}`;
    const terms = Array.from({ length: 60 }, (_, at) => {
      return { sourceText: long(at), targetText: long(-at), sourceGloss: '😀'.repeat(200) };
    });
    const list = await storeList(client, { terms });
    const session = await start({ listId: list.listId, questionCount: 50 });
    for (let index = 0; index < 49; index++) {
      if (index === 20) await client.delete(`/api/v1/lists/${list.listId}`);
      expect((await answer(session, index, 0)).status).toBe(200);
    }
    const keys = await keysOf(session.sessionId);
    const sizes = await Promise.all(
      keys.map(async (key) => Number(await redis().call('MEMORY', 'USAGE', key, 'SAMPLES', 0))),
    );
    expect(keys).toHaveLength(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(32 * 1024);
    expect((await answer(session, 49, 0)).status).toBe(200);
  });

  test('is one of at most 20 live ones of a user, the newest, however many start at once on two replicas', async () => {
    const [one, two] = [await newClient(), await newClient()];
    const startBy = async (browser: HttpClient): Promise<GameSession> => {
      const { status, body } = await browser.post(START, { questionCount: 2 });
      expect(status).toBe(201);
      return body;
    };
    const others = await startBy(two);
    const old: GameSession[] = [];
    for (let count = 0; count < 5; count++) old.push(await startBy(one));
    await Promise.all(old.map((session) => answer(session, 0, 0, one)));
    const fresh = await Promise.all(Array.from({ length: 30 }, (_, at) => startBy(at % 2 ? one : one.at(there.url))));
    for (const session of old) {
      const { status, body } = await answer(session, 1, 0, one);
      expect([status, body.code]).toEqual([404, 'SESSION_NOT_FOUND']);
      expect(await keysOf(session.sessionId)).toEqual([]);
    }
    const kept = await Promise.all(fresh.map(async (session) => (await keysOf(session.sessionId)).length));
    expect(kept.filter((keys) => keys > 0)).toHaveLength(20);
    // A finished quiz frees its place, so that a new start ends no other quiz.
    const [live] = fresh.filter((_, index) => kept[index]);
    for (const index of [0, 1]) expect((await answer(live as GameSession, index, 0, one)).status).toBe(200);
    const last = await startBy(one);
    expect((await answer(last, 0, 0, one)).status).toBe(200);
    const after = await Promise.all(fresh.map(({ sessionId }) => isLive(sessionId)));
    expect(after.filter(Boolean)).toHaveLength(19);
    expect((await answer(others, 0, 0, two)).status).toBe(200);
  });

  test('gives an answer that arrived twice over a broken connection one judgement', async () => {
    const session = await start({ questionCount: 2 });
    const given = session.questions.map(({ questionId }) => ({
      answer: { sessionId: session.sessionId, questionId, optionId: 0 },
      token: randomUUID(),
    }));
    const judge = ({ answer, token }: (typeof given)[number]) => judgeAnswer(here.services, user.id, answer, token);
    for (const each of given) {
      const judgement = await judge(each);
      expect(judgement).toMatchObject({ correctOptionId: expect.any(Number) });
      expect(await judge(each)).toEqual(judgement);
      await expect(judge({ ...each, token: randomUUID() })).rejects.toHaveProperty('code');
    }
    // The first answer may arrive again after the last one was judged.
    for (const each of given) await expect(judge(each)).resolves.toHaveProperty('nonce');
    const stranger = randomUUID();
    for (const { answer, token } of given)
      await expect(judgeAnswer(here.services, stranger, answer, token)).rejects.toMatchObject({
        code: 'SESSION_NOT_FOUND',
      });
    const keys = await keysOf(session.sessionId);
    expect(keys).toHaveLength(1);
    for (const key of keys) expect(await redis().pttl(key)).toBeGreaterThan(0);
  });

  test('ends after SESSION_TTL_SECONDS', async () => {
    const shortLived = await startService(stores, { SESSION_TTL_SECONDS: '2' });
    try {
      const player = await newClient(shortLived);
      const { body: session } = await player.post(START);
      const [key = ''] = await keysOf(session.sessionId);
      expect(await redis().pttl(key)).toBeGreaterThan(0);
      expect(await redis().pttl(key)).toBeLessThanOrEqual(2000);
      expect((await answer(session, 0, 0, player)).status).toBe(200);
      // An answer does not extend the time to live.
      expect(await redis().pttl(key)).toBeLessThanOrEqual(2000);
      await eventually(async () => {
        const { status, body } = await answer(session, 0, 0, player);
        expect([status, body.code]).toEqual([404, 'SESSION_NOT_FOUND']);
      });
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(session.expiresAt));
      expect(await isLive(session.sessionId)).toBe(false);
    } finally {
      await shortLived.stop();
    }
  });

  test('shows the right option of a question in no response before its judgement', async () => {
    const session = await start();
    const stranger = await newClient();
    const replies = [
      await answer(session, 0, 0, stranger),
      await client.post(ANSWER, { sessionId: session.sessionId, questionId: randomUUID(), optionId: 0 }),
      await client.post(ANSWER, { sessionId: session.sessionId, optionId: 0 }),
    ];
    for (const { body, headers } of replies) expect(JSON.stringify([body, ...headers])).not.toMatch(/correct/i);
    // Only names of fields are checked, since a word may be "key".
    const { questions, ...rest } = session;
    const names = [rest, ...questions].flatMap((part) => Object.keys(part));
    expect(names.join()).not.toMatch(/correct|answer|key/i);
    // The position of the right option varies, so that it can't be guessed from the response.
    const positions = new Set<number>();
    for (const { questionId } of session.questions) positions.add(await correctOption(session, questionId));
    expect(positions.size).toBeGreaterThan(1);
  });
});
