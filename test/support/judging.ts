// Answers judged by the service's own script, by the thousand, and what PostgreSQL must know of them in the
// end: each of them once, whoever was killed meanwhile. [contract 13]
import { randomUUID } from 'node:crypto';
import { newGatheredId } from '../../src/platform/slots.ts';
import type { Services } from '../../src/services.ts';
import { judgeAnswer, saveSession } from '../../src/singleplayer/store.ts';
import { wordsName } from '../../src/vocabulary/rules.ts';

/** One that PostgreSQL knows; which words it has doesn't matter. */
const DECK = {
  sourceLanguage: 'en',
  targetLanguage: 'it',
  pos: 'noun',
  difficulty: 'A1',
} as const;
const SESSION_TTL_SECONDS = 600;
const QUESTIONS = 50;
/** So few that most of them are asked again and again. */
const WORDS = 200;

export interface Judging {
  /** Has so many more answers judged, in sessions of fifty, one after another. */
  judge(answers: number): Promise<void>;
  /** @returns how many of them are written */
  written(): Promise<number>;
  /** @returns what of all that was judged is remembered otherwise */
  faults(): Promise<string[]>;
}

/** @param newId names the sessions, by default as the service does */
export async function startJudging(
  { db, redis }: Pick<Services, 'db' | 'redis'>,
  users: number,
  newId = newGatheredId,
): Promise<Judging> {
  const made = await db.user.createManyAndReturn({
    data: Array.from({ length: users }, () => ({ name: 'Ada', email: `${randomUUID()}@x.org` })),
  });
  const userIds = made.map(({ id }) => id);
  const repsOf = new Map<string, number>();
  let judged = 0;

  async function play(answers: number): Promise<void> {
    const userId = userIds[Math.floor(judged / QUESTIONS) % users] as string;
    const sessionId = newId();
    const questions = Array.from({ length: answers }, () => {
      const prompt = `word ${(judged++ * 7919) % WORDS}`;
      const question = { questionId: randomUUID(), prompt, options: [], commitment: '' };
      return { question, correctOptionId: 0, nonce: 'n' };
    });
    const session = { sessionId, userId, words: wordsName(DECK), questions };
    await saveSession(redis, session, SESSION_TTL_SECONDS);
    await Promise.all(
      questions.map(async ({ question: { questionId, prompt } }, index) => {
        const answer = { sessionId, questionId, optionId: index % 2 };
        const { word } = await judgeAnswer(redis, userId, answer, randomUUID());
        if (word !== 'judged') throw new Error(`an answer came to ${word}`);
        const key = `${userId} ${prompt}`;
        repsOf.set(key, (repsOf.get(key) ?? 0) + 1);
      }),
    );
  }

  async function written(): Promise<number> {
    const { _sum } = await db.reviewCount.aggregate({
      where: { userId: { in: userIds } },
      _sum: { reviews: true },
    });
    return _sum.reviews ?? 0;
  }

  return {
    async judge(answers) {
      for (let left = answers; left > 0; left -= QUESTIONS) await play(Math.min(left, QUESTIONS));
    },
    written,
    async faults() {
      const rows = await db.learnedWord.findMany({
        where: { userId: { in: userIds } },
        select: { userId: true, sourceKey: true, reps: true },
      });
      const known = new Map(rows.map((row) => [`${row.userId} ${row.sourceKey}`, row.reps]));
      const counted = await written();
      return [
        ...(counted === judged ? [] : [`${judged} were judged, ${counted} counted`]),
        ...[...repsOf]
          .filter(([key, reps]) => known.get(key) !== reps)
          .map(([key, reps]) => `${key}: ${reps} answers, ${known.get(key)} remembered`),
        ...(known.size === repsOf.size ? [] : [`${known.size} words, not ${repsOf.size}`]),
      ];
    },
  };
}
