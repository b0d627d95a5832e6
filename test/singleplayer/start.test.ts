// POST /api/v1/game/start draws the questions of a quiz for one. [contract 3]
import { describe, expect, test } from 'vitest';
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

describe('POST /api/v1/game/start', () => {
  test.each([
    ['ten nouns of A1 from English to Italian for no body', undefined, 10],
    ['as many words of the requested deck as are asked for', { pos: 'adjective', difficulty: 'A2' }, 20],
  ])('draws %s', async (_what, asked, questionCount) => {
    const session = await start(asked && { ...asked, questionCount });
    expect(session.questions).toHaveLength(questionCount);
    const deck = { sourceLanguage: 'en', targetLanguage: 'it', pos: 'noun', difficulty: 'A1', ...asked };
    const terms = await here.services.db.term.findMany({ where: { deck } });
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
