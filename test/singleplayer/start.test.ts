// POST /api/v1/game/start draws the questions of a quiz for one. [contract 3]
import { describe, expect, test } from 'vitest';
import type { GameSession } from '../../src/singleplayer/schema.ts';
import { normalise } from '../../src/vocabulary/rules.ts';
import { START, useQuizzes } from '../support/quizzes.ts';
import { importTestTerms, type TestTerm } from '../support/vocabulary.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const { stores, here, client, start, correctOption } = useQuizzes();

/** A deck to which the built-in words contribute no term. */
const OWN_DECK = { sourceLanguage: 'de', targetLanguage: 'es', pos: 'adverb' } as const;

async function importDeck(difficulty: string, terms: Partial<TestTerm>[]): Promise<object> {
  const deck = { ...OWN_DECK, difficulty };
  await importTestTerms(
    stores.databaseUrl,
    terms.map((term) => ({ ...deck, ...term })),
  );
  return deck;
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ sourceText: `Wort ${at}`, targetText: `voz ${at}` }));

describe('POST /api/v1/game/start', () => {
  test('draws ten nouns of A1 from English to Italian for no body, as for an empty one', async () => {
    const empty = await client.post(START, '', { 'content-type': 'application/json' });
    expect([empty.status, empty.body.questions.length]).toEqual([201, 10]);
    const response = await client.post(START);
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const { questions } = response.body as GameSession;
    expect(questions).toHaveLength(10);
    const where = { deck: { sourceLanguage: 'en', targetLanguage: 'it', pos: 'noun', difficulty: 'A1' } };
    const terms = await here.services.db.term.findMany({ where });
    for (const { prompt, gloss, options } of questions) {
      expect(terms.some((t) => t.sourceText === prompt && t.sourceGloss === gloss)).toBe(true);
      const texts = terms.map((term) => term.targetText);
      for (const { text } of options ?? []) expect(texts).toContain(text);
    }
  });

  test('answers with a session that has the documented fields and no others', async () => {
    const before = Date.now();
    const session = await start();
    expect(Object.keys(session).toSorted()).toEqual(['expiresAt', 'questions', 'sessionId']);
    expect(session.sessionId).toMatch(UUID);
    for (const question of session.questions) {
      expect(question).toEqual({
        questionId: expect.stringMatching(UUID),
        prompt: expect.any(String),
        gloss: expect.any(String),
        options: [0, 1, 2, 3].map((optionId) => ({ optionId, text: expect.any(String) })),
        commitment: expect.stringMatching(/^[\w-]{43}$/),
      });
    }
    expect(session.expiresAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const ttlMs = Date.parse(session.expiresAt) - before;
    expect(ttlMs).toBeGreaterThanOrEqual(3_600_000);
    expect(ttlMs).toBeLessThan(3_660_000);
  });

  test('draws from the deck of the requested part of speech and difficulty', async () => {
    for (const deck of [
      { pos: 'verb', difficulty: 'A1' },
      { pos: 'adjective', difficulty: 'A2' },
    ]) {
      const { questions } = await start({ ...deck, questionCount: 20 });
      const found = await here.services.db.term.findMany({
        where: { deck: { ...deck, sourceLanguage: 'en', targetLanguage: 'it' } },
      });
      const prompts = found.map((term) => term.sourceText);
      for (const { prompt } of questions) expect(prompts).toContain(prompt);
    }
  });

  test('offers no other accepted translation of the prompt, whatever its gloss, level or part of speech', async () => {
    const deck = await importDeck('A2', [
      { sourceText: 'Wagen', targetText: 'coche' },
      { sourceText: 'WAGEN', targetText: 'auto', sourceGloss: 'another' },
      { sourceText: 'x1', targetText: 'carro' },
      { sourceText: 'x2', targetText: 'Coche ' },
      { sourceText: 'x3', targetText: 'tres' },
      { sourceText: 'x4', targetText: 'cuatro' },
      { sourceText: 'x5', targetText: 'cinco' },
    ]);
    await importDeck('B2', [{ sourceText: 'wagen', targetText: 'Carro', pos: 'noun' }]);
    let checked = 0;
    for (let game = 0; game < 10; game++) {
      const session = await start({ ...deck, questionCount: 6 });
      for (const { questionId, prompt, options } of session.questions) {
        const correct = await correctOption(session, questionId);
        const wrong = (options ?? []).filter(({ optionId }) => optionId !== correct);
        if (normalise(prompt) !== 'wagen') continue;
        checked += 1;
        expect(wrong.map(({ text }) => text).toSorted()).toEqual(['cinco', 'cuatro', 'tres']);
      }
    }
    expect(checked).toBeGreaterThan(0);
  });

  test('is refused with 422 NOT_ENOUGH_TERMS and their number when fewer terms than questionCount match', async () => {
    const deck = await importDeck('C1', numbered(7));
    const { status, body } = await client.post(START, { ...deck, questionCount: 8 });
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'NOT_ENOUGH_TERMS' });
    expect(body.detail).toMatch(/\b7\b/);
    expect(body).not.toHaveProperty('errors');
  });

  test('refuses one language for both sides with 400, also by the default of the other', async () => {
    for (const request of [{ sourceLanguage: 'fr', targetLanguage: 'fr' }, { sourceLanguage: 'it' }]) {
      const { status, body } = await client.post(START, request);
      expect([status, body.errors?.[0]]).toEqual([
        400,
        { path: 'targetLanguage', message: 'must differ from sourceLanguage' },
      ]);
    }
  });
});
