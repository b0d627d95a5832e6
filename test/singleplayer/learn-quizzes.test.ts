// Each answer of a quiz is recorded in the step that judges it, and the worker learns it once; vitest.config.ts runs this
// on a Redis Cluster too. [contract 11, 13]
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { deleteAccount } from '../../src/accounts/delete-account.ts';
import { handOver } from '../../src/accounts/hand-over.ts';
import { BUDGETS } from '../../src/budgets.ts';
import { learnBatch } from '../../src/learning/learner.ts';
import { pendingKey, quizKey, reviewsKey } from '../../src/singleplayer/keys.ts';
import { type PendingQuiz, readPendingQuizzes, takeQuizzes } from '../../src/singleplayer/learn-quizzes.ts';
import { learn, startLearning } from '../../worker/learn.ts';
import { eventually } from '../support/eventually.ts';
import { storeList, termsOf } from '../support/lists.ts';
import { createLearner, give } from '../support/quizzes.ts';
import { useService } from '../support/service.ts';
import { A1_NOUNS, importTestTerms } from '../support/vocabulary.ts';

const { service, stores } = useService({}, { hasWords: true });

const WEEK_MS = 7 * 24 * 3600 * 1000;

/** @returns the quiz with its pending answers, undefined if it has none */
async function pending(sessionId: string): Promise<PendingQuiz | undefined> {
  const { quizzes } = await readPendingQuizzes(service.services.redis);
  return quizzes.find((quiz) => quiz.sessionId === sessionId);
}

/** Learns a quiz as a worker does that crashes before it removes the answers from Redis. */
function learnAndCrash(quiz: PendingQuiz | undefined) {
  const take = takeQuizzes(service.services.redis, quiz ? [quiz] : []);
  return learnBatch(service.services.db, async (tx) => {
    const batch = await take(tx);
    delete batch?.forget;
    return batch;
  });
}

/** Learns all answers as the worker does. */
const learnAll = () => learn(service.services);

describe('a judged answer', () => {
  test('belongs to the same word for each of its accepted translations', async () => {
    const learner = await createLearner(service);
    const deck = { sourceLanguage: 'fr', targetLanguage: 'de', pos: 'adverb', difficulty: 'B2' };
    const un = { sourceText: 'un', sourceGloss: 'the only one' };
    const terms = ['eins', 'zwei', 'drei', 'vier'].map((targetText) => ({ ...un, targetText }));
    const others = ['A', 'B', 'C'].map((name) => ({ sourceText: name, targetText: name }));
    await importTestTerms(stores.databaseUrl, [...terms, ...others], deck);
    for (let attempt = 0; attempt < 2; attempt++) {
      const session = await learner.start({ ...deck, questionCount: 4 });
      const index = session.questions.findIndex(({ prompt }) => prompt === 'un');
      expect(await learner.answer(session, index, 'right')).toBe(200);
      await learnAll();
    }
    const learnedWords = await learner.learnedWords();
    expect(learnedWords.map(({ sourceKey, reps }) => [sourceKey, reps])).toEqual([['un', 2]]);
  });

  test('belongs to its word whatever characters that has', async () => {
    const learner = await createLearner(service);
    const deck = { sourceLanguage: 'de', targetLanguage: 'fr', pos: 'adverb', difficulty: 'C2' };
    const words = [
      { sourceText: 'a "b", {c}', sourceGloss: 'NULL' },
      { sourceText: "back\\slash's", sourceGloss: '\\' },
      { sourceText: 'null' },
      { sourceText: 'two  spaces ,', sourceGloss: '"' },
    ];
    const terms = words.map((word, index) => ({ ...word, targetText: `wort ${index}` }));
    await importTestTerms(stores.databaseUrl, terms, deck);
    await learner.play(Array(words.length).fill('right'), { ...deck, questionCount: words.length });
    await learnAll();
    const learnedWords = await learner.learnedWords();
    const learned = learnedWords.map(({ sourceKey, gloss }) => [sourceKey, gloss]).toSorted();
    expect(learned).toEqual(words.map(({ sourceText, sourceGloss = null }) => [sourceText, sourceGloss]).toSorted());
  });
});

describe('the worker', () => {
  test('learns answers within 10 s', async () => {
    const learner = await createLearner(service);
    const learning = startLearning(service.services);
    try {
      await learner.play(['right', 'wrong', 'right']);
      // Two statements read the progress, and the worker may learn between them.
      await eventually(async () => {
        const { reviewedToday, decks } = await learner.progress();
        expect(reviewedToday).toBe(3);
        expect(decks).toEqual([{ ...A1_NOUNS, questions: expect.any(Number), seen: 3, known: 0, due: 0 }]);
      });
    } finally {
      await learning.close();
    }
  });

  test('learns each answer once despite a crash between its transaction and the note in Redis', async () => {
    const learner = await createLearner(service);
    const { sessionId } = await learner.play(['right', 'wrong']);
    const quiz = await pending(sessionId);
    await learnAndCrash(quiz);
    expect(await pending(sessionId)).toEqual(quiz);
    await learnAll();
    expect(await pending(sessionId)).toBeUndefined();
    expect((await learner.learnedWords()).map(({ reps }) => reps)).toEqual([1, 1]);
    expect((await learner.progress()).reviewedToday).toBe(2);
  });

  test('learns only the later answers of a quiz the next time', async () => {
    const learner = await createLearner(service);
    const session = await learner.play(['right']);
    await learnAll();
    expect(await learner.answer(session, 1, 'right')).toBe(200);
    expect((await pending(session.sessionId))?.answers).toMatchObject([{ number: 2 }]);
    await learnAll();
    expect((await learner.learnedWords()).map(({ reps }) => reps)).toEqual([1, 1]);
  });

  test('learns answers in the order of their judgement', async () => {
    const learner = await createLearner(service);
    const { listId } = await storeList(learner.client, { terms: termsOf(4) });
    const list = { listId, questionCount: 4 };
    const [one, other] = [await learner.start(list), await learner.start(list)];
    const asked = one.questions[0]?.prompt;
    const index = other.questions.findIndex(({ prompt }) => prompt === asked);
    expect(await learner.answer(other, index, 'right')).toBe(200);
    expect(await learner.answer(one, 0, 'wrong')).toBe(200);
    await learnAll();
    expect((await learner.learnedWords()).map(({ reps }) => reps)).toEqual([2]);
    expect(await learner.dueInMs()).toEqual([60_000]);
  });

  test('learns a quiz that has ended, was displaced or has expired, and removes it then', async () => {
    const learner = await createLearner(service);
    const over = await learner.play(['right', 'right'], { questionCount: 2 });
    const displaced = await learner.play(['wrong']);
    for (let started = 0; started < BUDGETS.liveQuizzes.max; started++) await learner.start();
    const expired = await learner.play(['right']);
    await service.services.redis.pexpire(quizKey(expired.sessionId), 1);
    await eventually(async () => {
      for (const session of [displaced, expired]) expect((await give(learner.client, session, 1)).status).toBe(404);
    });
    await learnAll();
    expect((await learner.progress()).reviewedToday).toBe(4);
    for (const { sessionId } of [over, displaced, expired])
      expect(await service.services.redis.exists(reviewsKey(sessionId))).toBe(0);
  });

  test('has seven days to learn an answer of a quiz, after which Redis has nothing of it', async () => {
    const { redis } = service.services;
    const learner = await createLearner(service);
    const { sessionId } = await learner.play(['right']);
    const index = pendingKey(sessionId);
    const forgotten = sessionId.slice(0, 2) + randomUUID().slice(2);
    await redis.zadd(index, Date.now() - WEEK_MS - 1000, forgotten);
    await learner.play(['wrong']);
    for (const key of [reviewsKey(sessionId), index]) {
      const leftMs = await redis.pttl(key);
      expect(leftMs).toBeGreaterThan(WEEK_MS - 60_000);
      expect(leftMs).toBeLessThanOrEqual(WEEK_MS);
    }
    expect(await redis.zrange(index, '0', '-1')).not.toContain(forgotten);
    await learnAll();
  });

  test('learns nothing for a deleted account, whose learned words are removed', async () => {
    const learner = await createLearner(service);
    await learner.play(['right']);
    await learnAll();
    const { sessionId } = await learner.play(['wrong']);
    await deleteAccount(service.services, learner.user.id);
    await learnAll();
    expect(await pending(sessionId)).toBeUndefined();
    expect(await learner.learnedWords()).toEqual([]);
    const { db } = service.services;
    expect(await db.reviewCount.count({ where: { userId: learner.user.id } })).toBe(0);
  });
});

test('[contract 11] a guest’s learned words go to the account, and the later review of a word counts', async () => {
  const guest = await createLearner(service);
  const account = await createLearner(service);
  const deck = { sourceLanguage: 'es', targetLanguage: 'de', pos: 'adverb', difficulty: 'B1' };
  await importTestTerms(stores.databaseUrl, termsOf(4), deck);
  await account.play(Array(4).fill('right'), { ...deck, questionCount: 4 });
  await learnAll();
  await guest.play(['wrong', 'wrong'], { ...deck, questionCount: 4 });
  await learnAll();
  const { db } = service.services;
  await db.learnedWord.updateMany({ where: { userId: account.user.id }, data: { suspended: true } });
  for (let times = 0; times < 2; times++) await handOver(db, guest.user.id, account.user.id);
  expect(await guest.learnedWords()).toEqual([]);
  expect((await account.learnedWords()).map(({ suspended }) => suspended)).toEqual(Array(4).fill(true));
  expect(await account.dueInMs()).toEqual([600_000, 600_000, 60_000, 60_000]);
  expect((await account.progress()).reviewedToday).toBe(6);
});
