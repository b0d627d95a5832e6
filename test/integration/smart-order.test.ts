// Questions in the order in which they help most. [contract 13]
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findByDue } from '../../src/learning/due-words.ts';
import { readQueues } from '../../src/learning/queue.ts';
import { wordKey } from '../../src/learning/rules.ts';
import { wordId } from '../../src/learning/word-ids.ts';
import { writeReviews } from '../../src/learning/write-reviews.ts';
import { connectPostgres } from '../../src/platform/postgres.ts';
import { wordsName } from '../../src/vocabulary/rules.ts';
import { SAMPLE_SIZE } from '../../src/vocabulary/store.ts';
import { createLearner, type Learner } from '../support/learner.ts';
import { listOf, termsOf } from '../support/lists.ts';
import { startService, type TestService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { importTestTerms } from '../support/vocabulary.ts';

const SMALL = {
  sourceLanguage: 'de',
  targetLanguage: 'es',
  pos: 'adverb',
  difficulty: 'A1',
} as const;
const MEDIUM = { ...SMALL, difficulty: 'B1' } as const;
const LARGE = { ...SMALL, difficulty: 'C2' } as const;
const SMALL_WORDS = 12;
/** More than are looked at in most starts. */
const MEDIUM_WORDS = 250;

let stores: TestStores;
let service: TestService;

beforeAll(async () => {
  stores = await startStores();
  const numbered = (deck: object, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      ...{ ...deck, sourceText: `Wort ${at}`, targetText: `voz ${at}` },
      ...(at % 2 && { sourceGloss: `Nummer ${at}` }),
    }));
  await importTestTerms(stores.databaseUrl, [
    ...numbered(SMALL, SMALL_WORDS),
    ...numbered(MEDIUM, MEDIUM_WORDS),
    ...numbered(LARGE, SAMPLE_SIZE + 500),
  ]);
  service = await startService(stores);
});
afterAll(async () => {
  await service.stop();
  await stores.stop();
});

async function promptsOf(learner: Learner, request: object): Promise<string[]> {
  const { questions } = await learner.start({ ...request, order: 'smart' });
  return questions.map(({ prompt }) => prompt);
}

/**
 * Answers all questions of a quiz.
 * @returns the words, as they are then remembered
 */
async function learn(learner: Learner, request: object) {
  const { questions, ...session } = await learner.start(request);
  for (const index of questions.keys())
    await learner.answer({ ...session, questions }, index, 'right');
  const { db, redis } = service.services;
  const { entries } = await readQueues(redis, [0], 10_000);
  await writeReviews({ db, redis }, entries);
  return db.learnedWord.findMany({ where: { userId: learner.user.id } });
}

/** Makes words due in so many minutes, one after another; those before now are negative. */
async function makeDue(learner: Learner, sourceKeys: string[], minutes: number[]): Promise<void> {
  for (const [at, sourceKey] of sourceKeys.entries())
    await service.services.db.learnedWord.updateMany({
      where: { userId: learner.user.id, sourceKey },
      data: { due: new Date(Date.now() + (minutes[at] as number) * 60_000) },
    });
}

/**
 * Makes a learner know all words of a deck.
 * @param dueInMinutes of each word, by its place
 * @returns the prompts, in the order of their places
 */
async function rememberAll(
  learner: Learner,
  deck: typeof MEDIUM | typeof LARGE,
  dueInMinutes: (at: number) => number,
): Promise<string[]> {
  const { db } = service.services;
  const userId = learner.user.id;
  const [memory] = await learn(learner, { ...deck, questionCount: 1 });
  const terms = await db.term.findMany({ where: { deck } });
  await db.learnedWord.deleteMany({ where: { userId } });
  await db.learnedWord.createMany({
    data: terms.map(({ sourceText, sourceKey, sourceGloss }, at) => ({
      ...(memory as NonNullable<typeof memory>),
      word: wordId(wordsName(deck), wordKey({ prompt: sourceText, gloss: sourceGloss })),
      ...{ sourceKey, gloss: sourceGloss },
      due: new Date(Date.now() + dueInMinutes(at) * 60_000),
    })),
  });
  return terms.map(({ sourceText }) => sourceText);
}

describe.each([
  ['a deck', async () => SMALL],
  [
    'a list',
    async ({ client }: Learner) => {
      const list = listOf({ terms: termsOf(SMALL_WORDS) });
      return { listId: (await client.post('/api/v1/lists', list)).body.listId };
    },
  ],
])('order: smart, of %s', (_name, wordsFor) => {
  test('due words, the most overdue first, then those never answered, then the rest by their time', async () => {
    const learner = await createLearner(service);
    const words = await wordsFor(learner);
    const memories = await learn(learner, { ...words, questionCount: 6 });
    const keys = memories.map(({ sourceKey }) => sourceKey);
    await makeDue(learner, keys, [30, -5, -60, 10, -1, 20]);
    const prompts = await promptsOf(learner, { ...words, questionCount: SMALL_WORDS });
    const asked = prompts.map((prompt) => prompt.toLowerCase());
    expect(asked.slice(0, 3)).toEqual([keys[2], keys[1], keys[4]]);
    expect(asked.slice(3, 9).filter((prompt) => keys.includes(prompt))).toEqual([]);
    expect(asked.slice(9)).toEqual([keys[3], keys[5], keys[0]]);
    expect(new Set(asked).size).toBe(SMALL_WORDS);
  });

  test('always as many as asked for, whatever is known', async () => {
    const learner = await createLearner(service);
    const words = await wordsFor(learner);
    expect(await promptsOf(learner, { ...words, questionCount: 5 })).toHaveLength(5);
    await learn(learner, { ...words, questionCount: SMALL_WORDS });
    expect(await promptsOf(learner, { ...words, questionCount: 5 })).toHaveLength(5);
  });
});

describe('order: smart, of a deck of which a replica holds only a part', () => {
  test('due words come first, also those that it doesn’t hold, then words never answered', async () => {
    const learner = await createLearner(service);
    const memories = await learn(learner, { ...LARGE, questionCount: 10 });
    const keys = memories.map(({ sourceKey }) => sourceKey);
    await makeDue(learner, keys, [-1, -2, -3, -4, -5, 1, 2, 3, 4, 5]);
    // Another sample than the one that the words were drawn from.
    service.services.pools.invalidate();
    const prompts = await promptsOf(learner, { ...LARGE, questionCount: 20 });
    const asked = prompts.map((prompt) => prompt.toLowerCase());
    expect(asked.slice(0, 5)).toEqual(keys.slice(0, 5).toReversed());
    expect(asked.slice(5).filter((prompt) => keys.includes(prompt))).toEqual([]);
    expect(new Set(asked).size).toBe(20);
  });
});

describe.each([
  ['a deck of which a replica holds only a part', LARGE],
  ['a deck that is held whole', MEDIUM],
])('order: smart, of %s', (_name, deck) => {
  test('when all is known, the rest follows by the time at which it becomes due', async () => {
    const learner = await createLearner(service);
    const terms = await rememberAll(learner, deck, (at) => at + 1);
    expect(await promptsOf(learner, { ...deck, questionCount: 5 })).toEqual(terms.slice(0, 5));
  });

  test('words that have left it take no place', async () => {
    const learner = await createLearner(service);
    const { db } = service.services;
    const terms = await rememberAll(learner, deck, (at) => (at < 40 ? at - 40 : at));
    const left = terms.slice(0, 30).map((prompt) => prompt.toLowerCase());
    const inDeck = { deck, sourceKey: { in: left } };
    const stored = await db.term.findMany({ where: inDeck });
    await db.term.deleteMany({ where: inDeck });
    service.services.pools.invalidate();
    const prompts = await promptsOf(learner, { ...deck, questionCount: 5 });
    await db.term.createMany({ data: stored });
    service.services.pools.invalidate();
    expect(prompts).toEqual(terms.slice(30, 35));
  });
});

test('order: smart finds the one word of a deck that was never answered, between what is due and the rest', async () => {
  const learner = await createLearner(service);
  const terms = await rememberAll(learner, MEDIUM, (at) => (at < 3 ? at - 3 : at));
  const { db } = service.services;
  const sourceKey = terms[100]?.toLowerCase() as string;
  await db.learnedWord.deleteMany({ where: { userId: learner.user.id, sourceKey } });
  const prompts = await promptsOf(learner, { ...MEDIUM, questionCount: 6 });
  expect(prompts).toEqual([...terms.slice(0, 3), terms[100], ...terms.slice(3, 5)]);
});

test('order: smart passes over words without three wrong options', async () => {
  const learner = await createLearner(service);
  const term = (sourceText: string, at: number) => ({ sourceText, targetText: `voz ${at}` });
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
  // For each of four words all translations but two are right.
  const list = listOf({
    terms: [
      ...numbers(6).map((at) => term(`Wort ${at}`, at)),
      ...numbers(4).flatMap((word) => numbers(4).map((at) => term(`Alles ${word}`, at))),
    ],
  });
  const { listId } = (await learner.client.post('/api/v1/lists', list)).body;
  const memories = await learn(learner, { listId, questionCount: 3 });
  const keys = memories.map(({ sourceKey }) => sourceKey);
  await makeDue(learner, keys, [-1, 1, 2]);
  const prompts = await promptsOf(learner, { listId, questionCount: 4 });
  expect(prompts[0]?.toLowerCase()).toBe(keys[0]);
  expect(prompts.slice(1).filter((word) => keys.includes(word.toLowerCase()))).toEqual([]);
});

test('order: smart is planned once, however many start at the same time', async () => {
  const db = connectPostgres(stores.databaseUrl, 1);
  const held = { terms: new Map(), ids: [], elements: Buffer.alloc(0) };
  const asked = {
    ...{ userId: randomUUID(), place: 1, nowMs: Date.now(), count: 10, isSure: false },
    tried: { held, start: 0, count: 0 },
  };
  for (const size of [1, 2, 3, 5, 8, 13, 21, 1, 2, 3, 5, 8, 13, 21])
    await Promise.all(Array.from({ length: size }, () => findByDue(db, asked)));
  const [plans] = await db.$queryRaw<object[]>`
    SELECT custom_plans::int AS own, generic_plans::int AS shared FROM pg_prepared_statements
     WHERE name = 'due-in-decks'`;
  await db.$disconnect();
  // PostgreSQL compares the plans of the first five times with one for all.
  expect(plans).toEqual({ own: 5, shared: 9 });
});

test('order: anything else is 400; in a lobby’s settings any order is', async () => {
  const { client } = await createLearner(service);
  const start = await client.post('/api/v1/game/start', { order: 'clever' });
  expect([start.status, start.body.errors[0].path]).toEqual([400, 'order']);
  const lobby = await client.post('/api/v1/lobbies', { settings: { order: 'smart' } });
  expect(lobby.status).toBe(400);
});
