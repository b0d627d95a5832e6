// GET /api/v1/progress, its calendar and GET /api/v1/words show what a user has learned, and a word can be suspended.
// [contract 13]
import { randomUUID } from 'node:crypto';
import { test as base, beforeAll, describe, expect } from 'vitest';
import type { WordPage } from '../../src/learning/schema.ts';
import { wordId } from '../../src/learning/word-ids.ts';
import { wordsName } from '../../src/vocabulary/rules.ts';
import { learn } from '../../worker/learn.ts';
import { codeOf } from '../support/http-client.ts';
import { listOf, storeList, termsOf } from '../support/lists.ts';
import { createLearner, type Learner } from '../support/quizzes.ts';
import { useService } from '../support/service.ts';
import { A1_NOUNS, importTestTerms } from '../support/vocabulary.ts';

const { service, stores } = useService({}, { hasWords: true });
const newLearner = () => createLearner(service);
const test = base.extend('learner', newLearner);

const db = () => service.services.db;
/** Learns all answers as the worker does. */
const learnAll = () => learn(service.services);

const makeDue = ({ user }: Learner) =>
  db().learnedWord.updateMany({ where: { userId: user.id }, data: { due: new Date(Date.now() - 60_000) } });

describe('GET /api/v1/progress', () => {
  test('is empty for a user without learned words', async ({ learner }) => {
    expect(await learner.progress()).toEqual({
      dueNow: 0,
      reviewedToday: 0,
      streakDays: 0,
      forecast: Array(7).fill({ date: expect.any(String), due: 0 }),
      decks: [],
    });
  });

  test('has dueNow as the sum of due, and counts words with a stability of at least 21 days as known', async () => {
    const learner = await newLearner();
    await learner.play(['right', 'wrong', 'right']);
    await learnAll();
    await learner.play(['right', 'wrong'], { pos: 'verb' });
    await learnAll();
    const userId = learner.user.id;
    await makeDue(learner);
    for (const [at, { word }] of (await learner.learnedWords()).slice(0, 2).entries())
      await db().learnedWord.updateMany({ where: { userId, word }, data: { stability: [21, 20.99][at] as number } });
    const progress = await learner.progress();
    expect(progress.dueNow).toBe(5);
    expect(progress.forecast.map(({ due }) => due)).toEqual([5, 0, 0, 0, 0, 0, 0]);
    expect(progress.decks).toEqual([
      { ...A1_NOUNS, questions: expect.any(Number), seen: 3, known: 1, due: 3 },
      { ...A1_NOUNS, pos: 'verb', questions: expect.any(Number), seen: 2, known: 0, due: 2 },
    ]);
    expect(progress.streakDays).toBe(1);
  });

  test('has another user’s list as long as it exists and the learner may read it', async ({ learner }) => {
    const owner = await newLearner();
    const { listId } = await storeList(owner.client, { shared: true });
    const put = (changes: object) => owner.client.put(`/api/v1/lists/${listId}`, listOf(changes));
    const words = async () => (await learner.progress()).decks.map((deck) => ('listId' in deck ? deck.name : deck.pos));
    await learner.play(['right', 'wrong'], { listId, questionCount: 4 });
    await learnAll();
    expect((await learner.progress()).decks).toEqual([
      { listId, name: 'Station', questions: 6, seen: 2, known: 0, due: 0 },
    ]);

    await put({ name: 'Mine' });
    expect(await words()).toEqual([]);
    await put({ name: 'Ours', shared: true });
    expect(await words()).toEqual(['Ours']);

    await owner.client.delete(`/api/v1/lists/${listId}`);
    expect(await words()).toEqual([]);
    expect(await learner.progress()).toMatchObject({ dueNow: 0, reviewedToday: 2 });
  });

  test('does not count words that can no longer be asked', async ({ learner }) => {
    await learner.play(['right', 'right']);
    await learnAll();
    const [learnedWord] = await learner.learnedWords();
    const where = { userId: learner.user.id, word: learnedWord?.word ?? '' };
    const data = { word: randomUUID(), gloss: 'as it was explained before' };
    await db().learnedWord.updateMany({ where, data });
    expect((await learner.progress()).decks[0]?.seen).toBe(1);
  });

  test('counts days in an IANA time zone, and is 400 for anything else', async ({ learner }) => {
    for (const timeZone of ['UTC', 'Asia/Kolkata', 'Etc/GMT+5'])
      expect((await learner.progress(`timeZone=${encodeURIComponent(timeZone)}`)).streakDays).toBe(0);
    for (const timeZone of ['Mars/Olympus', '%2B02:00', ''])
      for (const path of [`progress?timeZone=${timeZone}`, `progress/calendar?timeZone=${timeZone}`])
        expect((await learner.client.get(`/api/v1/${path}`)).status, path).toBe(400);
  });
});

test('GET /api/v1/progress/calendar has the days with answers and their counts', async ({ learner }) => {
  const empty = await learner.client.get('/api/v1/progress/calendar');
  expect([empty.status, empty.body]).toEqual([200, { days: [] }]);
  await learner.play(['right', 'wrong', 'right']);
  await learnAll();
  const { body } = await learner.client.get('/api/v1/progress/calendar?timeZone=Asia/Tokyo');
  // Midnight may pass between two answers.
  expect(body.days.reduce((sum: number, { answers }: { answers: number }) => sum + answers, 0)).toBe(3);
});

const DECK = { sourceLanguage: 'fr', targetLanguage: 'it', pos: 'adverb', difficulty: 'C1' };
const LARGE = { ...DECK, difficulty: 'C2' };
/** More prompts than one request examines. */
const LARGE_PROMPTS = Array.from({ length: 2005 }, (_, at) => `mot ${at}`);

beforeAll(async () => {
  const termsWith = (deck: object, prompts: string[]) =>
    prompts.map((sourceText, at) => ({ ...deck, sourceText, targetText: `parola ${at}` }));
  await importTestTerms(stores.databaseUrl, [
    ...termsWith(DECK, ['Été', 'zone', 'étape', 'mot', 'motif']),
    { ...DECK, sourceText: 'mot', targetText: 'vocabolo' },
    { ...DECK, sourceText: 'tour', targetText: 'torre', sourceGloss: 'un bâtiment' },
    { ...DECK, sourceText: 'tour', targetText: 'giro', sourceGloss: 'un voyage' },
    ...termsWith(LARGE, LARGE_PROMPTS),
  ]);
});

/** @returns a page of words; `query` has the deck too, unless it has a list */
async function words({ client }: Learner, query: Record<string, unknown> = {}): Promise<WordPage> {
  const fields = { ...('listId' in query ? {} : DECK), ...query } as Record<string, string>;
  const { status, body } = await client.get(`/api/v1/words?${new URLSearchParams(fields)}`);
  if (status !== 200) throw new Error(`words: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** @returns the words of all pages */
async function allWords(learner: Learner, query: object): Promise<WordPage['words']> {
  const found: WordPage['words'] = [];
  for (let page = await words(learner, { ...query }); ; ) {
    found.push(...page.words);
    if (page.next === null) return found;
    page = await words(learner, { ...query, after: page.next });
  }
}

const promptsOf = (page: WordPage['words']) => page.map(({ prompt }) => prompt);
const suspension = (id: string) => `/api/v1/words/${id}/suspension`;

/** Answers a quiz, learns the answers as the worker does, and makes the words due. @returns them */
async function learnSome(learner: Learner, count: number, request: object = DECK) {
  await learner.play(Array(count).fill('right'), { questionCount: count, ...request });
  await learnAll();
  await makeDue(learner);
  return learner.learnedWords();
}

describe('GET /api/v1/words', () => {
  test('has each word once with its translations, in the order of the prompts, in one page or in several', async () => {
    const learner = await newLearner();
    const { words: found, next } = await words(learner);
    expect(promptsOf(found)).toEqual(['mot', 'motif', 'tour', 'tour', 'zone', 'étape', 'Été']);
    expect(next).toBeNull();
    const unseen = { wordId: expect.any(String), state: 'new', due: null, suspended: false };
    expect(found[0]).toEqual({ ...unseen, prompt: 'mot', accepted: ['parola 3', 'vocabolo'] });
    const glosses = found.slice(2, 4).map(({ gloss }) => gloss);
    expect(glosses.toSorted()).toEqual(['un bâtiment', 'un voyage']);
    expect(await allWords(learner, { limit: 2 })).toEqual(found);
  });

  test('finds prompts by their beginning, whatever its case', async ({ learner }) => {
    const found = async (search: string) => promptsOf((await words(learner, { search })).words);
    expect(await found('MOT')).toEqual(['mot', 'motif']);
    expect(await found('ét')).toEqual(['étape', 'Été']);
    expect(await found('mo%')).toEqual([]);
  });

  test('finds words by state, of a deck and of a list', async ({ learner }) => {
    const { listId } = await storeList(learner.client, { terms: termsOf(6) });
    for (const query of [DECK, { listId }]) {
      const [known] = (await learnSome(learner, 2, { ...query, order: 'smart' })).slice(-2);
      const where = { userId: learner.user.id, word: known?.word ?? '' };
      await db().learnedWord.updateMany({ where, data: { stability: 21 } });
      const count = async (state: string) => (await allWords(learner, { ...query, state, limit: 2 })).length;
      const all = (await words(learner, query)).words;
      expect(all.find((word) => word.wordId === known?.word)?.state).toBe('known');
      expect(await Promise.all(['new', 'learning', 'known'].map(count))).toEqual([all.length - 2, 1, 1]);
    }
  });

  test('examines a limited number of words of a large deck, and goes on where it has stopped', async ({ learner }) => {
    const deck = await db().deck.findFirstOrThrow({ where: LARGE });
    const now = { due: new Date(), reviewedAt: new Date() };
    const memory = { stability: 1, difficulty: 5, state: 2, step: 0, scheduledDays: 1, reps: 1, lapses: 0, ...now };
    const known = LARGE_PROMPTS.filter((key) => key !== 'mot 999');
    const data = known.map((sourceKey) => {
      const word = wordId(wordsName(LARGE), `${sourceKey}\n`);
      return { ...memory, userId: learner.user.id, deckId: deck.id, sourceKey, word };
    });
    await db().learnedWord.createMany({ data });
    const page = await words(learner, { ...LARGE, state: 'new' });
    expect(page).toEqual({ words: [], next: expect.any(String) });
    const rest = await words(learner, { ...LARGE, state: 'new', after: page.next });
    expect(promptsOf(rest.words)).toEqual(['mot 999']);
    expect((await words(learner, { ...LARGE, state: 'learning', limit: 100 })).words).toHaveLength(100);
  });

  test('refuses what cannot be a request for words', async ({ learner: { client } }) => {
    for (const [query, status] of [
      ['pos=verb&listId=5b0f6d0a-3a0e-4a57-8f0b-1a9b8c7d6e5f', 400],
      ['limit=101', 400],
      ['after=WzFd', 400],
      ['search=%00', 400],
      ['listId=5b0f6d0a-3a0e-4a57-8f0b-1a9b8c7d6e5f', 404],
    ] as const)
      expect((await client.get(`/api/v1/words?${query}`)).status, query).toBe(status);
  });
});

describe('a suspended word', () => {
  test('is neither due nor asked in smart order, until it is resumed', async ({ learner }) => {
    const { listId } = await storeList(learner.client, { terms: termsOf(6) });
    for (const request of [DECK, { listId }]) {
      const before = (await learner.progress()).dueNow;
      const [learned] = (await learnSome(learner, 3, request)).slice(-3);
      const id = learned?.word ?? '';
      expect((await learner.client.put(suspension(id))).status).toBe(204);
      const [word] = (await words(learner, { ...request, state: 'suspended' })).words;
      expect(word).toMatchObject({ wordId: id, state: 'learning', due: null, suspended: true });
      const { dueNow, forecast } = await learner.progress();
      expect([dueNow, forecast[0]?.due]).toEqual([before + 2, before + 2]);
      const smart = { ...request, order: 'smart', questionCount: 5 };
      const { questions } = await learner.start(smart);
      const asked = questions.map(({ prompt, gloss }) => [prompt, gloss]);
      expect(asked).not.toContainEqual([word?.prompt, word?.gloss]);

      expect((await learner.client.delete(suspension(id))).status).toBe(204);
      expect((await learner.progress()).dueNow).toBe(before + 3);
      const resumed = await learner.start({ ...smart, questionCount: 3 });
      expect(resumed.questions.map(({ prompt }) => prompt)).toContain(word?.prompt);
    }
  });

  test('stays suspended when it is answered', async ({ learner }) => {
    const { listId } = await storeList(learner.client, { terms: termsOf(4) });
    const learned = await learnSome(learner, 4, { listId });
    for (const { word } of learned) await learner.client.put(suspension(word));
    const again = await learnSome(learner, 4, { listId });
    expect(again.map(({ reps, suspended }) => [reps, suspended])).toEqual(Array(4).fill([2, true]));
    expect((await learner.progress()).dueNow).toBe(0);
  });

  test('is the caller’s own: others, and words never answered, are 404', async ({ learner }) => {
    const other = await newLearner();
    const [learned] = await learnSome(learner, 1);
    const { words: all } = await words(other);
    for (const id of [learned?.word ?? '', all[0]?.wordId ?? ''])
      for (const method of ['PUT', 'DELETE']) {
        const refused = await other.client.request(method, suspension(id));
        expect(codeOf(refused)).toEqual([404, 'WORD_NOT_FOUND']);
      }
    expect((await learner.learnedWords())[0]?.suspended).toBe(false);
  });
});
