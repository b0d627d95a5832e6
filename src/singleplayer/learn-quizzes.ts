// The quizzes as a source of the learner. The answer script records each judgement in Redis, in an index for each hash
// tag. PostgreSQL stores with the reviews how many answers of a quiz are learned, and only then Redis forgets them.
// [contract 13]
import { z } from 'zod';
import type { Prisma } from '../generated/prisma/client.ts';
import { inBatches, type PendingReviews, type Review, type TakeBatch } from '../learning/learner.ts';
import { judged, verdictOfJudged } from '../learning/stored-answers.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { loadScript, runScript } from '../platform/redis/scripts.ts';
import type { Services } from '../services.ts';
import { PENDING_KEYS, pendingKey, reviewsKey } from './keys.ts';

const forgetScript = loadScript(new URL('lua/forget-learned.lua', import.meta.url));

/** The number of quizzes that one call reads with their answers. The next call reads the others. */
const MAX_QUIZZES_AT_ONCE = 500;

/** The number of ids that one call reads of each index. The quizzes of the oldest ids are read. */
const MAX_IDS_AN_INDEX = 50;

const StoredReview = z
  .object({
    word: z.union([z.object({ id: z.guid() }), z.object({ prompt: z.string(), gloss: z.string().optional() })]),
    ...judged,
    judgedAtMs: z.number(),
  })
  .transform(({ word, judgedAtMs, ...answer }) => {
    return { word, judgedAtMs, verdict: verdictOfJudged(answer) };
  });

interface QuizAnswer {
  /** The answers of a quiz are numbered from 1. */
  number: number;
  /** Null if the record can't be parsed. */
  review: Pick<Review, 'word' | 'verdict' | 'judgedAtMs'> | null;
}

/** A quiz with answers that are not learned. */
export interface PendingQuiz {
  sessionId: string;
  userId: string;
  /** The name of the deck or list of its questions. */
  words: string;
  /** The answers that Redis has as not learned, in their order. */
  answers: readonly QuizAnswer[];
}

export async function findPendingQuizzes({ redis }: Pick<Services, 'redis'>): Promise<PendingReviews> {
  const { quizzes, ...found } = await readPendingQuizzes(redis);
  const batches = inBatches(quizzes, ({ answers }) => answers.length);
  return { ...found, batches: batches.map((batch) => takeQuizzes(redis, batch)) };
}

/** @returns the quizzes in the order of their first pending answers */
export async function readPendingQuizzes(
  redis: RedisClient,
): Promise<Omit<PendingReviews, 'batches'> & { quizzes: PendingQuiz[] }> {
  const indexes = await Promise.all(
    PENDING_KEYS.map((key) => redis.zrange(key, '0', `${MAX_IDS_AN_INDEX - 1}`, 'WITHSCORES')),
  );
  const found = indexes.flatMap(pairsOf).toSorted((one, other) => one.sinceMs - other.sinceMs);
  const hasMore = found.length > MAX_QUIZZES_AT_ONCE || indexes.some(({ length }) => length === 2 * MAX_IDS_AN_INDEX);
  const oldest = found.slice(0, MAX_QUIZZES_AT_ONCE);
  const quizzes = await Promise.all(oldest.map(({ sessionId }) => readQuiz(redis, sessionId)));
  return { quizzes, sinceMs: found[0]?.sinceMs ?? null, hasMore };
}

/** @param index the reply of ZRANGE: ids and times alternately */
function pairsOf(index: readonly string[]): { sessionId: string; sinceMs: number }[] {
  return index.flatMap((sessionId, at) => (at % 2 === 0 ? [{ sessionId, sinceMs: Number(index[at + 1]) }] : []));
}

async function readQuiz(redis: RedisClient, sessionId: string): Promise<PendingQuiz> {
  const { userId = '', words = '', ...fields } = await redis.hgetall(reviewsKey(sessionId));
  const isKnown = z.guid().safeParse(userId).success;
  const answers = Object.entries(fields).map(([number, text]) => ({
    number: Number(number),
    review: isKnown ? parseReview(text) : null,
  }));
  return { sessionId, userId, words, answers: answers.toSorted((a, b) => a.number - b.number) };
}

function parseReview(text: string): QuizAnswer['review'] {
  try {
    return StoredReview.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Takes quizzes. Answers that another worker has learned meanwhile are passed over. */
export function takeQuizzes(redis: RedisClient, quizzes: readonly PendingQuiz[]): TakeBatch {
  return async (tx) => ({
    taken: quizzes.length,
    userIds: quizzes.flatMap(reviewsOf).map(({ userId }) => userId),
    async read() {
      const learned = await findLearned(tx, quizzes);
      const pending = quizzes.map((quiz) => {
        const last = learned.get(quiz.sessionId) ?? 0;
        return { ...quiz, answers: quiz.answers.filter(({ number }) => number > last) };
      });
      const reviews = pending.flatMap(reviewsOf);
      const answers = pending.reduce((sum, quiz) => sum + quiz.answers.length, 0);
      return { reviews, unreadable: answers - reviews.length };
    },
    mark: () => saveLearned(tx, quizzes),
    forget: async () => {
      await Promise.all(quizzes.map((quiz) => forgetLearned(redis, quiz)));
    },
  });
}

function reviewsOf({ userId, words, answers }: PendingQuiz): Review[] {
  return answers.flatMap(({ review }) => (review ? [{ ...review, userId, words }] : []));
}

/** @returns by quiz the number of its last learned answer, for those quizzes that have one */
async function findLearned(
  tx: Prisma.TransactionClient,
  quizzes: readonly PendingQuiz[],
): Promise<Map<string, number>> {
  const rows = await tx.learnedQuiz.findMany({ where: { sessionId: { in: quizzes.map((quiz) => quiz.sessionId) } } });
  return new Map(rows.map(({ sessionId, answers }) => [sessionId, answers]));
}

async function saveLearned(tx: Prisma.TransactionClient, quizzes: readonly PendingQuiz[]): Promise<void> {
  const ids = quizzes.map(({ sessionId }) => sessionId);
  const counts = quizzes.map(({ answers }) => answers.at(-1)?.number ?? 0);
  await tx.$executeRaw`
    INSERT INTO learned_quiz AS known (session_id, answers)
    SELECT * FROM unnest(${ids}::uuid[], ${counts}::int[]) ORDER BY 1
    ON CONFLICT (session_id) DO UPDATE
       SET answers = greatest(known.answers, EXCLUDED.answers), learned_at = now()`;
}

async function forgetLearned(redis: RedisClient, { sessionId, answers }: PendingQuiz): Promise<void> {
  const numbers = answers.map(({ number }) => number);
  // HDEL needs a field. No answer has the number 0.
  await runScript(redis, forgetScript, [pendingKey(sessionId), reviewsKey(sessionId)], [sessionId, 0, ...numbers]);
}
