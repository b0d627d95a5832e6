// POST /api/v1/game/answer judges each answer to a quiz for one exactly once. [contract 3]
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { quizKey, repliesKeys } from '../../src/singleplayer/keys.ts';
import type { GameSession } from '../../src/singleplayer/schema.ts';
import { codeOf, type HttpClient } from '../support/http-client.ts';
import { ANSWER, expectRepeatable, give, START, useQuizzes } from '../support/quizzes.ts';

const { client, elsewhere, redis, newClient, start, answer, correctOption, isLive } = useQuizzes();

describe('POST /api/v1/game/answer', () => {
  test('judges the answer and returns the chosen option, the right one and the score', async () => {
    const session = await start({ questionCount: 4 });
    for (const [index, { questionId }] of session.questions.entries()) {
      const correctOptionId = await correctOption(session, questionId);
      const selectedOptionId = index % 2 === 0 ? correctOptionId : (correctOptionId + 1) % 4;
      const { status, body } = await answer(session, index, selectedOptionId);
      expect(status).toBe(200);
      expect(body).toEqual({
        sessionId: session.sessionId,
        questionId,
        selectedOptionId,
        correctOptionId,
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        isCorrect: index % 2 === 0,
        score: { correct: [1, 1, 2, 2][index], answered: index + 1, total: 4 },
      });
    }
  });

  test('accepts ids in upper case and returns them in lower case', async () => {
    const { sessionId, questions } = await start();
    const questionId = questions[0]?.questionId ?? '';
    const request = { sessionId: sessionId.toUpperCase(), questionId: questionId.toUpperCase(), optionId: 0 };
    const { status, body } = await client.post(ANSWER, request);
    expect({ status, body }).toMatchObject({ status: 200, body: { sessionId, questionId } });
  });

  test('refuses in the order of the contract, without changing the session or showing a right option', async () => {
    const [session, stranger] = [await start(), await newClient()];
    expect((await answer(session, 0, 0)).status).toBe(200);
    const { sessionId } = session;
    const [answered, open] = session.questions.map(({ questionId }) => questionId);
    const refusal = async (of: string, questionId: string | undefined, browser: HttpClient) => {
      const reply = await browser.post(ANSWER, { sessionId: of, questionId, optionId: 1 });
      expect(JSON.stringify([reply.body, ...reply.headers])).not.toMatch(/correct/i);
      return codeOf(reply);
    };
    expect(await refusal(sessionId, undefined, client)).toEqual([400, 'VALIDATION_FAILED']);
    for (const browser of [client, stranger])
      for (const questionId of [answered, randomUUID()])
        expect(await refusal(randomUUID(), questionId, browser)).toEqual([404, 'SESSION_NOT_FOUND']);
    for (const questionId of [answered, open, randomUUID()])
      expect(await refusal(sessionId, questionId, stranger)).toEqual([403, 'SESSION_FORBIDDEN']);
    for (const questionId of [(await start()).questions[0]?.questionId, randomUUID()])
      expect(await refusal(sessionId, questionId, client)).toEqual([404, 'QUESTION_NOT_FOUND']);
    expect(await refusal(sessionId, answered, client)).toEqual([409, 'QUESTION_ALREADY_ANSWERED']);
    expect((await answer(session, 1, 0)).body.score).toMatchObject({ answered: 2, total: 10 });
  });

  test('accepts exactly one of 50 concurrent answers to one question', async () => {
    const session = await start({ questionCount: 2 });
    const attempts = Array.from({ length: 50 }, (_, at) => answer(session, 0, at % 4, at % 2 ? client : elsewhere));
    const answers = await Promise.all(attempts);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(codeOf)).toEqual(Array(49).fill([409, 'QUESTION_ALREADY_ANSWERED']));
    expect((await answer(session, 1, 0)).body.score.answered).toBe(2);
  });

  test('counts concurrent answers to all questions', async () => {
    const session = await start({ questionCount: 50 });
    const answers = await Promise.all(
      session.questions.map((_, index) => answer(session, index, 0, index % 2 ? client : elsewhere)),
    );
    const scores = answers.map(({ body }) => body.score).toSorted((one, other) => one.answered - other.answered);
    expect(scores.map(({ answered }) => answered)).toEqual(session.questions.map((_, index) => index + 1));
    const correct = answers.filter(({ body }) => body.isCorrect).length;
    expect(scores.at(-1)).toEqual({ correct, answered: 50, total: 50 });
    expect(await isLive(session.sessionId)).toBe(false);
  });

  describe('with an Idempotency-Key', () => {
    const KEY = 'idempotency-key';
    const answerBy = (by: HttpClient, session: GameSession, place: number, key: string) =>
      give(by, session, place, undefined, { [KEY]: key });

    test.each([
      ['choice', { optionId: 1 }, { optionId: 2 }],
      ['typed', { text: 'caff\u00e8' }, { text: 'casa' }],
    ])('gets the same reply again, with the effect of one, on any replica: %s', async (answerMode, given, other) => {
      const session = await start({ questionCount: 4, answerMode });
      await expectRepeatable([client, elsewhere], session, [given, other]);
    });

    test('is 400 unless the key has 1–64 of its characters, after 415 and an invalid body, and before 404', async () => {
      const body = { sessionId: randomUUID(), questionId: randomUUID(), optionId: 0 };
      const refusal = async (key: string, of: unknown = body, type = 'application/json') => {
        const { status, body } = await client.post(ANSWER, of, { [KEY]: key, 'content-type': type });
        return [status, body.code, body.errors?.[0].path];
      };
      for (const key of ['x'.repeat(65), 'a b', 'a,b', 'é', 'a.b', ''])
        expect(await refusal(key)).toEqual([400, 'VALIDATION_FAILED', KEY]);
      expect(await refusal('a b', { ...body, optionId: 9 })).toEqual([400, 'VALIDATION_FAILED', 'optionId']);
      expect(await refusal('a b', '{}', 'text/plain')).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE', undefined]);
      for (const key of ['x'.repeat(64), '-_aZ09'])
        expect(await refusal(key)).toEqual([404, 'SESSION_NOT_FOUND', undefined]);
    });

    test('belongs to its user and session, and each request counts for the limiter', async () => {
      const [session, other] = [await start({ questionCount: 2 }), await start({ questionCount: 2 })];
      const first = await answerBy(client, session, 0, 'mine');
      expect((await answerBy(await newClient(), session, 0, 'mine')).body.code).toBe('SESSION_FORBIDDEN');
      expect((await answerBy(client, other, 0, 'mine')).body).toMatchObject({ sessionId: other.sessionId });
      const again = await answerBy(client, session, 0, 'mine');
      const left = ({ headers }: typeof first) => Number(headers.get('ratelimit-remaining'));
      expect([again.body, left(first) - left(again)]).toEqual([first.body, 2]);
    });

    test('are remembered for 60 s, of a user the 200 newest', async () => {
      const browser = await newClient();
      const { body: session } = await browser.post(START, { questionCount: 2 });
      const userId = (await redis().hget(quizKey(session.sessionId), 'userId')) as string;
      const [hash, times] = repliesKeys(session.sessionId, userId) as [string, string];
      const first = await answerBy(browser, session, 0, 'first');
      expect(await redis().pttl(hash)).toBeGreaterThan(50_000);
      // Others of the user take its place, one after the other.
      const others = Array.from({ length: 199 }, (_, at) => [`other ${at}`, '{"atMs":0}']);
      await redis().hset(hash, Object.fromEntries(others));
      const now = Number((await redis().zscore(times, `${session.sessionId} first`)) as string);
      await redis().zadd(times, ...others.flatMap(([field = '']) => [now + 1, field]));
      expect((await answerBy(browser, session, 0, 'first')).body).toEqual(first.body);
      const { body: next } = await browser.post(START, { questionCount: 2 });
      expect((await answerBy(browser, next, 0, 'newest')).status).toBe(200);
      expect([await redis().hlen(hash), await redis().zcard(times)]).toEqual([200, 200]);
      expect((await answerBy(browser, session, 0, 'first')).body.code).toBe('QUESTION_ALREADY_ANSWERED');
      // A minute later the key is free again, and what is as old is dropped.
      const field = `${next.sessionId} newest`;
      const kept = JSON.parse((await redis().hget(hash, field)) as string);
      await redis().hset(hash, field, JSON.stringify({ ...kept, atMs: kept.atMs - 60_000 }));
      for (const [name = ''] of [...others, [field]]) await redis().zadd(times, kept.atMs - 60_000, name);
      expect((await answerBy(browser, next, 0, 'newest')).body.code).toBe('QUESTION_ALREADY_ANSWERED');
      expect((await answerBy(browser, next, 1, 'newest')).status).toBe(200);
      expect([await redis().hlen(hash), await redis().zcard(times)]).toEqual([1, 1]);
    });
  });
});
