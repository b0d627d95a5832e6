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
  test.each([
    ['no body', undefined, {}],
    ['an empty body', '', { 'content-type': 'application/json' }],
    ['{}', {}, {}],
  ])('draws ten nouns of A1 from English to Italian for %s', async (_name, body, headers) => {
    const response = await client.post(START, body, headers);
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

  test('gives every session and question an id of its own', async () => {
    const sessions = await Promise.all([start(), start(), start()]);
    const ids = sessions.flatMap((session) => [
      session.sessionId,
      ...session.questions.map(({ questionId }) => questionId),
    ]);
    expect(new Set(ids).size).toBe(33);
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

  test.each([1, 50])('draws %i questions without a repeated prompt and gloss', async (questionCount) => {
    const { questions } = await start({ questionCount });
    expect(questions).toHaveLength(questionCount);
    const keys = questions.map(({ prompt, gloss }) => normalise(`${prompt} ${gloss}`));
    expect(new Set(keys).size).toBe(questionCount);
    for (const { options } of questions) expect(new Set(options?.map(({ text }) => normalise(text))).size).toBe(4);
  });

  test('omits the field gloss when the term has none', async () => {
    const deck = await importDeck('A1', [
      ...numbered(4),
      { sourceText: 'Bank', targetText: 'banco', sourceGloss: 'zum Sitzen' },
    ]);
    const { questions } = await start({ ...deck, questionCount: 5 });
    for (const question of questions) {
      if (question.prompt === 'Bank') expect(question.gloss).toBe('zum Sitzen');
      else expect(question).not.toHaveProperty('gloss');
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

  test.each([
    ['NO_MATCHING_TERMS when no term matches', 'B1', [], 1, 'NO_MATCHING_TERMS', /./],
    [
      'NOT_ENOUGH_TERMS and their number when fewer terms than questionCount match',
      'C1',
      numbered(7),
      8,
      'NOT_ENOUGH_TERMS',
      /\b7\b/,
    ],
    [
      'NOT_ENOUGH_DISTRACTORS when the deck has too few wrong options',
      'C2',
      numbered(3),
      3,
      'NOT_ENOUGH_DISTRACTORS',
      /./,
    ],
  ])('is refused with 422 %s', async (_name, difficulty, terms, questionCount, code, detail) => {
    const deck = await importDeck(difficulty, terms);
    const { status, body } = await client.post(START, { ...deck, questionCount });
    expect({ status, code: body.code }).toEqual({ status: 422, code });
    expect(body.detail).toMatch(detail);
    expect(body).not.toHaveProperty('errors');
  });

  test.each([
    [{ questionCount: 0 }, 'questionCount', 'must be at least 1'],
    [{ questionCount: 51 }, 'questionCount', 'must be at most 50'],
    [{ questionCount: 2.5 }, 'questionCount', 'must be a whole number'],
    [{ questionCount: '10' }, 'questionCount', 'must be a number'],
    [{ questionCount: null }, 'questionCount', 'must be a number'],
    [{ pos: 'pronoun' }, 'pos', 'must be one of noun, verb, adjective, adverb'],
    [{ pos: 'Noun' }, 'pos', 'must be one of noun, verb, adjective, adverb'],
    [{ difficulty: 'a1' }, 'difficulty', 'must be one of A1, A2, B1, B2, C1, C2'],
    [{ sourceLanguage: 'pt' }, 'sourceLanguage', 'must be one of en, it, es, fr, de'],
    [{ targetLanguage: 7 }, 'targetLanguage', 'must be one of en, it, es, fr, de'],
    [{ sourceLanguage: 'fr', targetLanguage: 'fr' }, 'targetLanguage', 'must differ from sourceLanguage'],
    [{ sourceLanguage: 'it' }, 'targetLanguage', 'must differ from sourceLanguage'],
    [{ level: 'A1' }, '', 'has an unknown field'],
    [[], '', 'must be an object'],
    ['"A1"', '', 'must be an object'],
    ['null', '', 'must be an object'],
  ])('refuses %j with 400', async (request, path, message) => {
    const { status, headers, body } = await client.post(START, request);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_FAILED' });
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(body.errors).toEqual([{ path, message }]);
  });
});
