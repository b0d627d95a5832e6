// With order: smart, a quiz asks due words first and unknown words second. [contract 13]
import { test as base, beforeAll, describe, expect } from 'vitest';
import { wordId } from '../../src/learning/word-ids.ts';
import { normalise, wordKey, wordsName } from '../../src/vocabulary/rules.ts';
import { SAMPLE_SIZE } from '../../src/vocabulary/store.ts';
import { learn as learnAll } from '../../worker/learn.ts';
import { storeList, termsOf } from '../support/lists.ts';
import { createLearner, type Learner } from '../support/quizzes.ts';
import { useService } from '../support/service.ts';
import { importTestTerms } from '../support/vocabulary.ts';

const SMALL = { sourceLanguage: 'de', targetLanguage: 'es', pos: 'adverb', difficulty: 'A1' } as const;
const MEDIUM = { ...SMALL, difficulty: 'B1' } as const;
const LARGE = { ...SMALL, difficulty: 'C2' } as const;
const SMALL_WORDS = 12;
/** More words than most starts read. */
const MEDIUM_WORDS = 250;

const { service, stores } = useService();
const test = base.extend('learner', () => createLearner(service));
const db = () => service.services.db;

beforeAll(async () => {
  const numbered = (deck: object, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      ...deck,
      sourceText: `Wort ${at}`,
      targetText: `voz ${at}`,
      ...(at % 2 && { sourceGloss: `Nummer ${at}` }),
    }));
  await importTestTerms(stores.databaseUrl, [
    ...numbered(SMALL, SMALL_WORDS),
    ...numbered(MEDIUM, MEDIUM_WORDS),
    ...numbered(LARGE, SAMPLE_SIZE + 500),
  ]);
});

async function promptsOf(learner: Learner, request: object): Promise<string[]> {
  const { questions } = await learner.start({ ...request, order: 'smart' });
  return questions.map(({ prompt }) => prompt);
}

/** Answers all questions of a quiz and stores the reviews. @returns the learner's words */
async function learn(learner: Learner, request: object) {
  const { questions, ...session } = await learner.start(request);
  for (const index of questions.keys()) await learner.answer({ ...session, questions }, index, 'right');
  await learnAll(service.services);
  // The table has only the id of a word, from which its text can't be computed.
  const keys = new Map(
    questions.map(({ prompt, gloss }) => [wordId(wordsName(request), wordKey({ prompt, gloss })), normalise(prompt)]),
  );
  const memories = await db().learnedWord.findMany({ where: { userId: learner.user.id } });
  return memories.map((memory) => ({ ...memory, sourceKey: keys.get(memory.word) ?? '' }));
}

/** Sets when each word is due. @param minutes from now, negative for the past */
async function makeDue(learner: Learner, memories: { word: string }[], minutes: number[]): Promise<void> {
  for (const [at, { word }] of memories.entries())
    await db().learnedWord.updateMany({
      where: { userId: learner.user.id, word },
      data: { due: new Date(Date.now() + (minutes[at] as number) * 60_000) },
    });
}

/**
 * Makes a learner know all words of a deck.
 * @param dueInMinutes the minutes from now until a word is due, by its index
 * @returns the prompts, by index
 */
async function rememberAll(
  learner: Learner,
  deck: typeof MEDIUM | typeof LARGE,
  dueInMinutes: (at: number) => number,
): Promise<string[]> {
  const userId = learner.user.id;
  const [memory] = await learn(learner, { ...deck, questionCount: 1 });
  const terms = await db().term.findMany({ where: { deck } });
  await db().learnedWord.deleteMany({ where: { userId } });
  await db().learnedWord.createMany({
    data: terms.map(({ sourceText, sourceKey, sourceGloss }, at) => ({
      ...(memory as NonNullable<typeof memory>),
      word: wordId(wordsName(deck), wordKey({ prompt: sourceText, gloss: sourceGloss })),
      sourceKey,
      gloss: sourceGloss,
      due: new Date(Date.now() + dueInMinutes(at) * 60_000),
    })),
  });
  return terms.map(({ sourceText }) => sourceText);
}

test.for(['deck', 'list'])(
  'order: smart of a %s asks due words from the most overdue on, then words never answered, then the rest by due time',
  async (kind, { learner }) => {
    const { listId } = await storeList(learner.client, { terms: termsOf(SMALL_WORDS) });
    const words = kind === 'deck' ? SMALL : { listId };
    const memories = await learn(learner, { ...words, questionCount: 6 });
    const keys = memories.map(({ sourceKey }) => sourceKey);
    await makeDue(learner, memories, [30, -5, -60, 10, -1, 20]);
    const prompts = await promptsOf(learner, { ...words, questionCount: SMALL_WORDS });
    const sequence = prompts.map((prompt) => prompt.toLowerCase());
    expect(sequence.slice(0, 3)).toEqual([keys[2], keys[1], keys[4]]);
    expect(sequence.slice(3, 9).filter((prompt) => keys.includes(prompt))).toEqual([]);
    expect(sequence.slice(9)).toEqual([keys[3], keys[5], keys[0]]);
    expect(new Set(sequence).size).toBe(SMALL_WORDS);
  },
);

test('order: smart asks due words outside of the sample in memory first, too, then words never answered', async () => {
  const learner = await createLearner(service);
  const memories = await learn(learner, { ...LARGE, questionCount: 10 });
  const keys = memories.map(({ sourceKey }) => sourceKey);
  await makeDue(learner, memories, [-1, -2, -3, -4, -5, 1, 2, 3, 4, 5]);
  // The next quiz is drawn from another sample.
  service.services.pools.invalidate();
  const prompts = await promptsOf(learner, { ...LARGE, questionCount: 20 });
  const sequence = prompts.map((prompt) => prompt.toLowerCase());
  expect(sequence.slice(0, 5)).toEqual(keys.slice(0, 5).toReversed());
  expect(sequence.slice(5).filter((prompt) => keys.includes(prompt))).toEqual([]);
  expect(new Set(sequence).size).toBe(20);
});

describe.each([
  ['a deck of which a replica has only a sample in memory', LARGE],
  ['a deck that a replica has whole in memory', MEDIUM],
])('order: smart of %s', (_name, deck) => {
  test('asks words by due time when all are known and none is due', async ({ learner }) => {
    const terms = await rememberAll(learner, deck, (at) => at + 1);
    expect(await promptsOf(learner, { ...deck, questionCount: 5 })).toEqual(terms.slice(0, 5));
  });

  test('passes over known words that the deck no longer has', async ({ learner }) => {
    const terms = await rememberAll(learner, deck, (at) => (at < 40 ? at - 40 : at));
    const left = terms.slice(0, 30).map((prompt) => prompt.toLowerCase());
    const inDeck = { deck, sourceKey: { in: left } };
    const stored = await db().term.findMany({ where: inDeck });
    await db().term.deleteMany({ where: inDeck });
    service.services.pools.invalidate();
    const prompts = await promptsOf(learner, { ...deck, questionCount: 5 });
    await db().term.createMany({ data: stored });
    service.services.pools.invalidate();
    expect(prompts).toEqual(terms.slice(30, 35));
  });
});

test('order: smart asks the only word of a deck that was never answered between due words and the rest', async () => {
  const learner = await createLearner(service);
  const terms = await rememberAll(learner, MEDIUM, (at) => (at < 3 ? at - 3 : at));
  const sourceKey = terms[100]?.toLowerCase() as string;
  await db().learnedWord.deleteMany({ where: { userId: learner.user.id, sourceKey } });
  const prompts = await promptsOf(learner, { ...MEDIUM, questionCount: 6 });
  expect(prompts).toEqual([...terms.slice(0, 3), terms[100], ...terms.slice(3, 5)]);
});

test('order: smart passes over words without three wrong options', async ({ learner }) => {
  const term = (sourceText: string, at: number) => ({ sourceText, targetText: `voz ${at}` });
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
  // Each of the last four words has four accepted translations, so that too few terms give wrong options.
  const { listId } = await storeList(learner.client, {
    terms: [
      ...numbers(6).map((at) => term(`Wort ${at}`, at)),
      ...numbers(4).flatMap((word) => numbers(4).map((at) => term(`Alles ${word}`, at))),
    ],
  });
  const memories = await learn(learner, { listId, questionCount: 3 });
  const keys = memories.map(({ sourceKey }) => sourceKey);
  await makeDue(learner, memories, [-1, 1, 2]);
  const prompts = await promptsOf(learner, { listId, questionCount: 4 });
  expect(prompts[0]?.toLowerCase()).toBe(keys[0]);
  expect(prompts.slice(1).filter((word) => keys.includes(word.toLowerCase()))).toEqual([]);
});
