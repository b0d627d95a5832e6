// Learning survives the kill of a worker that writes it. [contract 13]

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Services } from '../../src/services.ts';
import { newQuizId } from '../../src/singleplayer/keys.ts';
import { judgeAnswer, saveQuiz } from '../../src/singleplayer/store.ts';
import { wordsName } from '../../src/vocabulary/rules.ts';
import { eventually } from '../support/eventually.ts';
import { startWorkerProcess } from '../support/replica-process.ts';
import { useService } from '../support/service.ts';

const { service, stores } = useService({}, { hasWords: true });

test('a worker that is killed during its writes loses and duplicates no answer', async () => {
  const judging = await startJudging(service.services, 20);
  const start = () => startWorkerProcess(stores, { REDIS_CLUSTER: String(stores.isCluster) });
  let worker = await start();
  try {
    for (let kill = 0; kill < 2; kill++) {
      const before = await judging.written();
      const judged = judging.judge(2000);
      // The worker is killed when it has written some answers and others wait.
      await eventually(async () => expect(await judging.written()).toBeGreaterThan(before), { intervalMs: 10 });
      await worker.end('SIGKILL');
      await judged;
      worker = await start();
    }
    await eventually(async () => expect(await judging.faults()).toEqual([]), { timeoutMs: 60_000 });
  } finally {
    await worker.end('SIGKILL');
  }
});

// Submits thousands of quiz answers to the service's own script, and checks that PostgreSQL has counted each
// of them exactly once, even if processes were killed meanwhile. [contract 13]

/** A deck that exists in PostgreSQL; its words don't matter. */
const DECK = { sourceLanguage: 'en', targetLanguage: 'it', pos: 'noun', difficulty: 'A1' } as const;
const SESSION_TTL_SECONDS = 600;
const QUESTIONS = 50;
/** The number of different words: so few that most of them are asked repeatedly. */
const WORDS = 200;

interface Judging {
  /** Submits this many more answers, in consecutive sessions of fifty. */
  judge(answers: number): Promise<void>;
  /** @returns the number of answers that PostgreSQL has counted */
  written(): Promise<number>;
  /** @returns the differences between the submitted answers and those in PostgreSQL */
  faults(): Promise<string[]>;
}

async function startJudging(
  { db, redis, postgres }: Pick<Services, 'db' | 'redis' | 'postgres'>,
  users: number,
): Promise<Judging> {
  const made = await db.user.createManyAndReturn({
    data: Array.from({ length: users }, () => ({ name: 'Ada', email: `${randomUUID()}@x.org` })),
  });
  const userIds = made.map(({ id }) => id);
  const repsOf = new Map<string, number>();
  let judged = 0;

  async function play(answers: number): Promise<void> {
    const userId = userIds[Math.floor(judged / QUESTIONS) % users] as string;
    const sessionId = newQuizId(userId);
    const questions = Array.from({ length: answers }, () => {
      const prompt = `word ${(judged++ * 7919) % WORDS}`;
      const question = { questionId: randomUUID(), prompt, options: [], commitment: '' };
      return { question, correctOptionId: 0, nonce: 'n' };
    });
    const session = { sessionId, userId, words: wordsName(DECK), language: 'it', secret: 's' };
    await saveQuiz(redis, { ...session, questions }, SESSION_TTL_SECONDS);
    await Promise.all(
      questions.map(async ({ question: { questionId, prompt } }, index) => {
        const answer = { sessionId, questionId, optionId: index % 2 };
        await judgeAnswer({ redis, postgres }, userId, answer, randomUUID());
        const key = `${userId} ${prompt}`;
        repsOf.set(key, (repsOf.get(key) ?? 0) + 1);
      }),
    );
  }

  async function written(): Promise<number> {
    const { _sum } = await db.reviewCount.aggregate({ where: { userId: { in: userIds } }, _sum: { reviews: true } });
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
