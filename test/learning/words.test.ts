// GET /api/v1/words lists what a user knows, and a word can be suspended. [contract 13]
import { beforeAll, describe, expect, test } from 'vitest';
import type { WordPage } from '../../src/learning/schema.ts';
import { wordId } from '../../src/learning/word-ids.ts';
import { wordsName } from '../../src/vocabulary/rules.ts';
import { learn } from '../../worker/learn.ts';
import { storeList, termsOf } from '../support/lists.ts';
import { createLearner, type Learner } from '../support/quizzes.ts';
import { useService } from '../support/service.ts';
import { importTestTerms } from '../support/vocabulary.ts';

const { service, stores } = useService();

const DECK = { sourceLanguage: 'fr', targetLanguage: 'it', pos: 'adverb', difficulty: 'C1' };
const LARGE = { ...DECK, difficulty: 'C2' };
/** More prompts than one request examines. */
const LARGE_WORDS = 2005;

beforeAll(async () => {
  const plain = ['Été', 'zone', 'étape', 'mot', 'motif'].map((sourceText, at) => ({
    ...DECK,
    sourceText,
    targetText: `parola ${at}`,
  }));
  await importTestTerms(stores.databaseUrl, [
    ...plain,
    { ...DECK, sourceText: 'mot', targetText: 'vocabolo' },
    { ...DECK, sourceText: 'tour', targetText: 'torre', sourceGloss: 'un bâtiment' },
    { ...DECK, sourceText: 'tour', targetText: 'giro', sourceGloss: 'un voyage' },
    ...Array.from({ length: LARGE_WORDS }, (_, at) => ({
      ...LARGE,
      sourceText: `mot ${at}`,
      targetText: `parola ${at}`,
    })),
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
  await learn(service.services);
  const past = new Date(Date.now() - 60_000);
  await service.services.db.learnedWord.updateMany({ where: { userId: learner.user.id }, data: { due: past } });
  return learner.learnedWords();
}

describe('GET /api/v1/words', () => {
  test('has each word once with its translations, in the order of the prompts', async () => {
    const learner = await createLearner(service);
    const { words: found, next } = await words(learner);
    expect(promptsOf(found)).toEqual(['mot', 'motif', 'tour', 'tour', 'zone', 'étape', 'Été']);
    expect(next).toBeNull();
    expect(found[0]).toEqual({
      wordId: expect.any(String),
      prompt: 'mot',
      accepted: ['parola 3', 'vocabolo'],
      state: 'new',
      due: null,
      suspended: false,
    });
    expect(
      found
        .slice(2, 4)
        .map(({ gloss }) => gloss)
        .sort(),
    ).toEqual(['un bâtiment', 'un voyage']);
  });

  test('has the same words in pages', async () => {
    const learner = await createLearner(service);
    const { words: whole } = await words(learner);
    expect(await allWords(learner, { limit: 2 })).toEqual(whole);
  });

  test('finds prompts by their beginning, whatever its case', async () => {
    const learner = await createLearner(service);
    const found = async (search: string) => promptsOf((await words(learner, { search })).words);
    expect(await found('MOT')).toEqual(['mot', 'motif']);
    expect(await found('ét')).toEqual(['étape', 'Été']);
    expect(await found('mo%')).toEqual([]);
  });

  test('finds words by state, of a deck and of a list', async () => {
    const learner = await createLearner(service);
    const { listId } = await storeList(learner.client, { terms: termsOf(6) });
    for (const query of [DECK, { listId }]) {
      const [known] = (await learnSome(learner, 2, { ...query, order: 'smart' })).slice(-2);
      await service.services.db.learnedWord.updateMany({
        where: { userId: learner.user.id, word: known?.word ?? '' },
        data: { stability: 21 },
      });
      const count = async (state: string) => (await allWords(learner, { ...query, state, limit: 2 })).length;
      const all = (await words(learner, query)).words;
      expect(all.find((word) => word.wordId === known?.word)?.state).toBe('known');
      expect(await Promise.all(['new', 'learning', 'known'].map(count))).toEqual([all.length - 2, 1, 1]);
    }
  });

  test('examines a limited number of words of a large deck, and goes on where it has stopped', async () => {
    const learner = await createLearner(service);
    const { db } = service.services;
    const deck = await db.deck.findFirstOrThrow({ where: LARGE });
    const memory = { stability: 1, difficulty: 5, state: 2, step: 0, scheduledDays: 1, reps: 1, lapses: 0 };
    const now = new Date();
    await db.learnedWord.createMany({
      data: Array.from({ length: LARGE_WORDS }, (_, at) => ({
        ...memory,
        userId: learner.user.id,
        deckId: deck.id,
        sourceKey: `mot ${at}`,
        word: wordId(wordsName(LARGE), `mot ${at}\n`),
        due: now,
        reviewedAt: now,
      })).filter(({ sourceKey }) => sourceKey !== 'mot 999'),
    });
    const page = await words(learner, { ...LARGE, state: 'new' });
    expect(page).toEqual({ words: [], next: expect.any(String) });
    const rest = await words(learner, { ...LARGE, state: 'new', after: page.next });
    expect(promptsOf(rest.words)).toEqual(['mot 999']);
    expect((await words(learner, { ...LARGE, state: 'learning', limit: 100 })).words).toHaveLength(100);
  });

  test('refuses what cannot be a request for words', async () => {
    const { client } = await createLearner(service);
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
  test('is neither due nor asked in smart order, until it is resumed', async () => {
    const learner = await createLearner(service);
    const { listId } = await storeList(learner.client, { terms: termsOf(6) });
    for (const request of [DECK, { listId }]) {
      const before = (await learner.progress()).dueNow;
      const [learned] = (await learnSome(learner, 3, request)).slice(-3);
      const id = learned?.word ?? '';
      const put = await learner.client.put(suspension(id));
      expect([put.status, put.body]).toEqual([204, undefined]);
      const [word] = (await words(learner, { ...request, state: 'suspended' })).words;
      expect(word).toMatchObject({ wordId: id, state: 'learning', due: null, suspended: true });
      const progress = await learner.progress();
      expect([progress.dueNow, progress.forecast[0]?.due]).toEqual([before + 2, before + 2]);
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

  test('stays suspended when it is answered', async () => {
    const learner = await createLearner(service);
    const { listId } = await storeList(learner.client, { terms: termsOf(4) });
    const learned = await learnSome(learner, 4, { listId });
    for (const { word } of learned) await learner.client.put(suspension(word));
    const again = await learnSome(learner, 4, { listId });
    expect(again.map(({ reps, suspended }) => [reps, suspended])).toEqual(Array(4).fill([2, true]));
    expect((await learner.progress()).dueNow).toBe(0);
  });

  test('is the caller’s own: others, and words never answered, are 404', async () => {
    const [learner, other] = [await createLearner(service), await createLearner(service)];
    const [learned] = await learnSome(learner, 1);
    const { words: all } = await words(other);
    for (const id of [learned?.word ?? '', all[0]?.wordId ?? ''])
      for (const method of ['PUT', 'DELETE']) {
        const { status, body } = await other.client.request(method, suspension(id));
        expect([status, body.code]).toEqual([404, 'WORD_NOT_FOUND']);
      }
    expect((await learner.learnedWords())[0]?.suspended).toBe(false);
  });
});
