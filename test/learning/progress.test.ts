// GET /api/v1/progress and its calendar show what a user has learned. [contract 13]
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { learn } from '../../worker/learn.ts';
import { listOf, storeList } from '../support/lists.ts';
import { createLearner } from '../support/quizzes.ts';
import { useService } from '../support/service.ts';

const { service } = useService({}, { hasWords: true });

const A1_NOUNS = { sourceLanguage: 'en', targetLanguage: 'it', pos: 'noun', difficulty: 'A1' };

/** Learns all answers as the worker does. */
const learnAll = () => learn(service.services);

describe('GET /api/v1/progress', () => {
  test('is empty for a user without learned words', async () => {
    const learner = await createLearner(service);
    expect(await learner.progress()).toEqual({
      dueNow: 0,
      reviewedToday: 0,
      streakDays: 0,
      forecast: Array(7).fill({ date: expect.any(String), due: 0 }),
      decks: [],
    });
  });

  test('has dueNow as the sum of due, and counts words with a stability of at least 21 days as known', async () => {
    const learner = await createLearner(service);
    await learner.play(['right', 'wrong', 'right']);
    await learnAll();
    await learner.play(['right', 'wrong'], { pos: 'verb' });
    await learnAll();
    const { db } = service.services;
    const past = new Date(Date.now() - 60_000);
    await db.learnedWord.updateMany({ where: { userId: learner.user.id }, data: { due: past } });
    const [first, second] = await learner.learnedWords();
    const grow = (word = '', stability = 0) =>
      db.learnedWord.update({ where: { userId_word: { userId: learner.user.id, word } }, data: { stability } });
    await grow(first?.word, 21);
    await grow(second?.word, 20.99);
    const progress = await learner.progress();
    expect(progress.dueNow).toBe(5);
    expect(progress.forecast.map(({ due }) => due)).toEqual([5, 0, 0, 0, 0, 0, 0]);
    expect(progress.decks).toEqual([
      { ...A1_NOUNS, questions: expect.any(Number), seen: 3, known: 1, due: 3 },
      { ...A1_NOUNS, pos: 'verb', questions: expect.any(Number), seen: 2, known: 0, due: 2 },
    ]);
    expect(progress.streakDays).toBe(1);
  });

  test('has another user’s list as long as it exists and the learner may read it', async () => {
    const [owner, learner] = [await createLearner(service), await createLearner(service)];
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

  test('does not count words that can no longer be asked', async () => {
    const learner = await createLearner(service);
    await learner.play(['right', 'right']);
    await learnAll();
    const [learnedWord] = await learner.learnedWords();
    await service.services.db.learnedWord.updateMany({
      where: { userId: learner.user.id, word: learnedWord?.word ?? '' },
      data: { word: randomUUID(), gloss: 'as it was explained before' },
    });
    expect((await learner.progress()).decks[0]?.seen).toBe(1);
  });

  test('counts days in an IANA time zone, and is 400 for anything else', async () => {
    const learner = await createLearner(service);
    for (const timeZone of ['UTC', 'Asia/Kolkata', 'Etc/GMT+5'])
      expect((await learner.progress(`timeZone=${encodeURIComponent(timeZone)}`)).streakDays).toBe(0);
    for (const timeZone of ['Mars/Olympus', '+02:00', ''])
      for (const path of ['progress', 'progress/calendar']) {
        const { status } = await learner.client.get(`/api/v1/${path}?timeZone=${encodeURIComponent(timeZone)}`);
        expect(status, `${path} ${timeZone}`).toBe(400);
      }
  });
});

describe('GET /api/v1/progress/calendar', () => {
  test('has the days with answers and their counts', async () => {
    const learner = await createLearner(service);
    const empty = await learner.client.get('/api/v1/progress/calendar');
    expect([empty.status, empty.body]).toEqual([200, { days: [] }]);
    await learner.play(['right', 'wrong', 'right']);
    await learnAll();
    const { body } = await learner.client.get('/api/v1/progress/calendar?timeZone=Asia/Tokyo');
    // Midnight may pass between two answers.
    const answers = body.days.map((day: { answers: number }) => day.answers);
    expect(answers.reduce((sum: number, count: number) => sum + count, 0)).toBe(3);
  });
});
