// A guest's learned words go to the account at the hand-over. [contract 11, 13]
import { describe, expect, test } from 'vitest';
import { deleteAccount } from '../../src/accounts/delete-account.ts';
import { handOver } from '../../src/accounts/hand-over.ts';
import { learn } from '../../worker/learn.ts';
import { createLearner } from '../support/quizzes.ts';
import { useService } from '../support/service.ts';
import { importTestTerms } from '../support/vocabulary.ts';

const { service, stores } = useService({}, { hasWords: true });

/** Learns all answers as the worker does. */
const learnAll = () => learn(service.services);

test('[contract 11] a guest’s learned words go to the account, and the later review of a word counts', async () => {
  const guest = await createLearner(service);
  const account = await createLearner(service);
  const deck = { sourceLanguage: 'es', targetLanguage: 'de', pos: 'adverb', difficulty: 'B1' };
  const names = ['A', 'B', 'C', 'D'];
  await importTestTerms(
    stores.databaseUrl,
    names.map((name) => ({ ...deck, sourceText: `uno ${name}`, targetText: `eins ${name}` })),
  );
  const questionCount = names.length;
  await account.play(['right', 'right', 'right', 'right'], { ...deck, questionCount });
  await learnAll();
  await guest.play(['wrong', 'wrong'], { ...deck, questionCount });
  await learnAll();
  const { db } = service.services;
  await db.learnedWord.updateMany({ where: { userId: account.user.id }, data: { suspended: true } });
  await handOver(db, guest.user.id, account.user.id);
  await handOver(db, guest.user.id, account.user.id);
  expect(await guest.learnedWords()).toEqual([]);
  expect((await account.learnedWords()).map(({ suspended }) => suspended)).toEqual(Array(4).fill(true));
  const dueInMs = (await account.learnedWords()).map(({ due, reviewedAt }) => due.getTime() - reviewedAt.getTime());
  expect(dueInMs).toEqual([600_000, 600_000, 60_000, 60_000]);
  expect((await account.progress()).reviewedToday).toBe(6);
});

describe('[contract 11] answers of a guest that are not learned at the hand-over', () => {
  test('are learned for the account, once, even if the guest is deleted by then', async () => {
    const [guest, account] = [await createLearner(service), await createLearner(service)];
    await guest.play(['right', 'wrong']);
    const { db } = service.services;
    await handOver(db, guest.user.id, account.user.id);
    await handOver(db, guest.user.id, account.user.id);
    await deleteAccount(service.services, guest.user.id);
    await learnAll();
    const learnedWords = await account.learnedWords();
    expect(learnedWords.map(({ reps }) => reps)).toEqual([1, 1]);
    expect((await account.progress()).reviewedToday).toBe(2);
  });

  test('are learned once if the worker learns during the hand-over', async () => {
    const { db } = service.services;
    for (let attempt = 0; attempt < 4; attempt++) {
      const [guest, account] = [await createLearner(service), await createLearner(service)];
      await guest.play(['right']);
      await account.play(['right']);
      await Promise.all([learnAll(), learnAll(), handOver(db, guest.user.id, account.user.id)]);
      await learnAll();
      expect(await guest.learnedWords()).toEqual([]);
      expect((await account.progress()).reviewedToday).toBe(2);
    }
  });
});
