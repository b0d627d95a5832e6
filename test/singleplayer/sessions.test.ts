// POST /api/v1/game/start draws the questions of a quiz for one, which has a bounded size, number and lifetime in Redis.
// [contract 3]
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { reviewsKey } from '../../src/singleplayer/keys.ts';
import type { GameSession } from '../../src/singleplayer/schema.ts';
import { judgeAnswer } from '../../src/singleplayer/store.ts';
import { normalise } from '../../src/vocabulary/rules.ts';
import { eventually } from '../support/eventually.ts';
import { codeOf, type HttpClient } from '../support/http-client.ts';
import { storeList } from '../support/lists.ts';
import { START, useQuizzes } from '../support/quizzes.ts';
import { startService } from '../support/service.ts';
import { A1_NOUNS, importTestTerms } from '../support/vocabulary.ts';

const { stores, here, there, user, client, redis, newClient, start, answer, correctOption, isLive, keysOf } =
  useQuizzes();

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
describe('POST /api/v1/game/start', () => {
  test.each([
    ['ten nouns of A1 from English to Italian for no body', undefined, 10],
    ['as many words of the requested deck as are asked for', { pos: 'adjective', difficulty: 'A2' }, 20],
  ])('draws %s', async (_what, asked, questionCount) => {
    const session = await start(asked && { ...asked, questionCount });
    expect(session.questions).toHaveLength(questionCount);
    const terms = await here.services.db.term.findMany({ where: { deck: { ...A1_NOUNS, ...asked } } });
    const texts = terms.map(({ targetText }) => targetText);
    for (const { prompt, gloss, options = [] } of session.questions) {
      expect(terms.some((t) => t.sourceText === prompt && t.sourceGloss === gloss)).toBe(true);
      for (const { text } of options) expect(texts).toContain(text);
    }
  });

  test('takes an empty body for none, and answers with the documented fields and no others', async () => {
    const before = Date.now();
    const { status, headers, body } = await client.post(START, '', { 'content-type': 'application/json' });
    expect([status, headers.get('content-type')]).toEqual([201, expect.stringMatching(/^application\/json/)]);
    expect(body).toEqual({
      sessionId: expect.stringMatching(UUID),
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      questions: Array(10).fill({
        questionId: expect.stringMatching(UUID),
        prompt: expect.any(String),
        gloss: expect.any(String),
        options: [0, 1, 2, 3].map((optionId) => ({ optionId, text: expect.any(String) })),
        commitment: expect.stringMatching(/^[\w-]{43}$/),
      }),
    });
    const ttlMs = Date.parse(body.expiresAt) - before;
    expect(ttlMs).toBeGreaterThanOrEqual(3_600_000);
    expect(ttlMs).toBeLessThan(3_660_000);
  });

  test('offers no other accepted translation of the prompt, whatever its gloss, level or part of speech', async () => {
    // A deck to which the built-in words contribute no term.
    const deck = { sourceLanguage: 'de', targetLanguage: 'es', pos: 'adverb', difficulty: 'A2' };
    const terms = [
      { sourceText: 'Wagen', targetText: 'coche' },
      { sourceText: 'WAGEN', targetText: 'auto', sourceGloss: 'another' },
      ...['carro', 'Coche ', 'tres', 'cuatro', 'cinco'].map((targetText, at) => ({ sourceText: `x${at}`, targetText })),
    ];
    const elsewhere = { sourceText: 'wagen', targetText: 'Carro', pos: 'noun', difficulty: 'B2' };
    await importTestTerms(stores.databaseUrl, [...terms, elsewhere], deck);
    let checked = 0;
    for (let game = 0; game < 10; game++) {
      const session = await start({ ...deck, questionCount: 6 });
      for (const { questionId, prompt, options = [] } of session.questions) {
        if (normalise(prompt) !== 'wagen') continue;
        checked += 1;
        const correct = await correctOption(session, questionId);
        const wrong = options.filter(({ optionId }) => optionId !== correct);
        expect(wrong.map(({ text }) => text).toSorted()).toEqual(['cinco', 'cuatro', 'tres']);
      }
    }
    expect(checked).toBeGreaterThan(0);
  });

  test('refuses one language for both sides with 400, also by the default of the other', async () => {
    for (const request of [{ sourceLanguage: 'fr', targetLanguage: 'fr' }, { sourceLanguage: 'it' }]) {
      const { status, body } = await client.post(START, request);
      const error = { path: 'targetLanguage', message: 'must differ from sourceLanguage' };
      expect([status, body.errors?.[0]]).toEqual([400, error]);
    }
  });
});

describe('a session', () => {
  test('takes less than 32 KiB in Redis however long its words are, and survives the deletion of their list', async () => {
    const long = (at: number) => `${at + 100} ${'😀'.repeat(116)}`;
    const terms = Array.from({ length: 60 }, (_, at) => {
      return { sourceText: long(at), targetText: long(-at), sourceGloss: '😀'.repeat(200) };
    });
    const { listId } = await storeList(client, { terms });
    const session = await start({ listId, questionCount: 50 });
    for (let index = 0; index < 49; index++) {
      if (index === 20) await client.delete(`/api/v1/lists/${listId}`);
      expect((await answer(session, index, 0)).status).toBe(200);
    }
    const [key = '', ...others] = await keysOf(session.sessionId);
    expect(others).toEqual([]);
    expect(Number(await redis().call('MEMORY', 'USAGE', key, 'SAMPLES', 0))).toBeLessThan(32 * 1024);
    expect((await answer(session, 49, 0)).status).toBe(200);
  });

  test('is one of at most 20 live ones of a user, the newest, however many start at once on two replicas', async () => {
    const [one, two] = [await newClient(), await newClient()];
    const startBy = (browser: HttpClient) => start({ questionCount: 2 }, browser);
    const others = await startBy(two);
    const old = await Promise.all(Array.from({ length: 5 }, () => startBy(one)));
    await Promise.all(old.map((session) => answer(session, 0, 0, one)));
    const fresh = await Promise.all(Array.from({ length: 30 }, (_, at) => startBy(at % 2 ? one : one.at(there.url))));
    for (const session of old) {
      expect(codeOf(await answer(session, 1, 0, one))).toEqual([404, 'SESSION_NOT_FOUND']);
      expect(await keysOf(session.sessionId)).toEqual([]);
    }
    const kept = await Promise.all(fresh.map(async (session) => (await keysOf(session.sessionId)).length));
    expect(kept.filter((keys) => keys > 0)).toHaveLength(20);
    // A finished quiz frees its place, so that a new start ends no other quiz.
    const [live] = fresh.filter((_, index) => kept[index]);
    for (const index of [0, 1]) expect((await answer(live as GameSession, index, 0, one)).status).toBe(200);
    expect((await answer(await startBy(one), 0, 0, one)).status).toBe(200);
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
      expect(await judge(each)).toEqual(judgement);
      await expect(judge({ ...each, token: randomUUID() })).rejects.toHaveProperty('code');
    }
    // The first answer may arrive again after the last one was judged.
    for (const each of given) await expect(judge(each)).resolves.toHaveProperty('nonce');
    const [stranger, refusal] = [randomUUID(), { code: 'SESSION_NOT_FOUND' }];
    for (const { answer, token } of given)
      await expect(judgeAnswer(here.services, stranger, answer, token)).rejects.toMatchObject(refusal);
    const [key = '', ...others] = await keysOf(session.sessionId);
    expect(others).toEqual([]);
    expect(await redis().pttl(key)).toBeGreaterThan(0);
    // The memory gets each answer once. [contract 13]
    const unlearned = Object.keys(await redis().hgetall(reviewsKey(session.sessionId)));
    expect(unlearned.toSorted()).toEqual(['1', '2', 'userId', 'words']);
  });

  test('ends after SESSION_TTL_SECONDS', async () => {
    const shortLived = await startService(stores, { SESSION_TTL_SECONDS: '2' });
    try {
      const player = await newClient(shortLived);
      const session = await start(undefined, player);
      const [key = ''] = await keysOf(session.sessionId);
      expect(await redis().pttl(key)).toBeGreaterThan(0);
      expect(await redis().pttl(key)).toBeLessThanOrEqual(2000);
      expect((await answer(session, 0, 0, player)).status).toBe(200);
      // An answer does not extend the time to live.
      expect(await redis().pttl(key)).toBeLessThanOrEqual(2000);
      const code = async () => (await answer(session, 0, 0, player)).body.code;
      await eventually(async () => expect(await code()).toBe('SESSION_NOT_FOUND'));
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(session.expiresAt));
      expect(await isLive(session.sessionId)).toBe(false);
    } finally {
      await shortLived.stop();
    }
  });
});
