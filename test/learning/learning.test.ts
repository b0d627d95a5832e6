// Each answer of a single-player quiz is recorded in the step that judges it; vitest.config.ts runs this on a Redis
// Cluster too. [contract 13]

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type PendingQuiz, readPendingQuizzes } from '../../src/singleplayer/learn-quizzes.ts';
import { judgeAnswer } from '../../src/singleplayer/store.ts';
import { learn } from '../../worker/learn.ts';
import { createLearner } from '../support/quizzes.ts';
import { useService } from '../support/service.ts';
import { importTestTerms } from '../support/vocabulary.ts';

const { service, stores } = useService({}, { hasWords: true });

/** @returns the quiz with its pending answers, undefined if it has none */
async function pending(sessionId: string): Promise<PendingQuiz | undefined> {
  const { quizzes } = await readPendingQuizzes(service.services.redis);
  return quizzes.find((quiz) => quiz.sessionId === sessionId);
}

/** Learns all answers as the worker does. */
const learnAll = () => learn(service.services);

describe('a judged answer', () => {
  test('makes its word due after a minute if it is wrong, and after ten minutes if it is right', async () => {
    const learner = await createLearner(service);
    const { questions } = await learner.play(['wrong', 'right']);
    await learnAll();
    const learnedWords = await learner.learnedWords();
    expect(learnedWords.map(({ sourceKey }) => sourceKey)).toEqual(
      questions.slice(0, 2).map(({ prompt }) => prompt.toLowerCase()),
    );
    const dueInMs = learnedWords.map(({ due, reviewedAt }) => due.getTime() - reviewedAt.getTime());
    expect(dueInMs).toEqual([60_000, 600_000]);
    expect(learnedWords.map(({ gloss }) => gloss)).toEqual(questions.slice(0, 2).map(({ gloss }) => gloss));
  });

  test('belongs to the same word for each of its accepted translations', async () => {
    const learner = await createLearner(service);
    const deck = { sourceLanguage: 'fr', targetLanguage: 'de', pos: 'adverb', difficulty: 'B2' };
    const terms = ['eins', 'zwei', 'drei', 'vier'].map((targetText) => ({
      ...deck,
      targetText,
      sourceText: 'un',
      sourceGloss: 'the only one',
    }));
    const others = ['A', 'B', 'C'].map((name) => ({ ...deck, sourceText: name, targetText: name }));
    await importTestTerms(stores.databaseUrl, [...terms, ...others]);
    let reviewed = 0;
    for (let attempt = 0; attempt < 2; attempt++) {
      const session = await learner.start({ ...deck, questionCount: 4 });
      const index = session.questions.findIndex(({ prompt }) => prompt === 'un');
      expect(await learner.answer(session, index, 'right')).toBe(200);
      reviewed += 1;
      await learnAll();
    }
    const learnedWords = await learner.learnedWords();
    expect(learnedWords.map(({ sourceKey, reps }) => [sourceKey, reps])).toEqual([['un', reviewed]]);
  });

  test('belongs to its word whatever characters that has', async () => {
    const learner = await createLearner(service);
    const deck = { sourceLanguage: 'de', targetLanguage: 'fr', pos: 'adverb', difficulty: 'C2' };
    const words = [
      ['a "b", {c}', 'NULL'],
      ["back\\slash's", '\\'],
      ['null', null],
      ['two  spaces ,', '"'],
    ] as const;
    await importTestTerms(
      stores.databaseUrl,
      words.map(([sourceText, sourceGloss], index) => ({
        ...deck,
        sourceText,
        targetText: `wort ${index}`,
        ...(sourceGloss === null ? {} : { sourceGloss }),
      })),
    );
    const all = words.map(() => 'right' as const);
    await learner.play(all, { ...deck, questionCount: words.length });
    await learnAll();
    const learnedWords = await learner.learnedWords();
    expect(learnedWords.map(({ sourceKey, gloss }) => [sourceKey, gloss]).toSorted()).toEqual(
      words.map(([prompt, gloss]) => [prompt, gloss]).toSorted(),
    );
  });

  test('is recorded once, even if its request arrives twice', async () => {
    const learner = await createLearner(service);
    const { sessionId, questions } = await learner.start();
    const questionId = questions[0]?.questionId ?? '';
    const token = randomUUID();
    const answer = { sessionId, questionId, optionId: 0 };
    await Promise.allSettled([
      judgeAnswer(service.services, learner.user.id, answer, token),
      judgeAnswer(service.services, learner.user.id, answer, token),
      judgeAnswer(service.services, learner.user.id, answer, randomUUID()),
    ]);
    expect((await pending(sessionId))?.answers).toHaveLength(1);
    await learnAll();
    expect((await learner.learnedWords()).map(({ reps }) => reps)).toEqual([1]);
  });
});
