// The quizzes as a source of the learner. The answer script records each judgement in Redis, in an index for each hash
// tag. PostgreSQL stores with the reviews how many answers of a quiz are learned, and only then Redis forgets them.
// [contract 13]
import { z } from 'zod';
import type { Prisma } from '../generated/prisma/client.ts';
import { MAX_REVIEWS, type PendingReviews, type Review, type TakeBatch } from '../learning/learner.ts';
import { judged, verdictOfJudged } from '../learning/stored-answers.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { chunksOf, loadScript, runScript } from '../platform/redis/scripts.ts';
import type { Services } from '../services.ts';
import { PENDING_KEYS, pendingKey, reviewsKey } from './keys.ts';

const forgetScript = loadScript(new URL('lua/forget-learned.lua', import.meta.url));

/** The number of quizzes that one call reads with their answers. The next call reads the others. */
const MAX_QUIZZES_AT_ONCE = 500;

/** The number of ids that one call reads of each index. The quizzes of the oldest ids are read. */
const MAX_IDS_AN_INDEX = 50;

const StoredReview = z
  .object({
    userId: z.guid(),
    words: z.string(),
    word: z.union([z.object({ id: z.guid() }), z.object({ prompt: z.string(), gloss: z.string().optional() })]),
    ...judged,
  })
  .transform(({ isCorrect, verdict, ...review }) => ({ ...review, verdict: verdictOfJudged({ isCorrect, verdict }) }));

/** A quiz with answers that are not learned, each with its number from 1, in their order. */
export type PendingQuiz = Awaited<ReturnType<typeof readQuiz>>;

export async function findPendingQuizzes({ redis }: Pick<Services, 'redis'>): Promise<PendingReviews> {
  const { quizzes, ...found } = await readPendingQuizzes(redis);
  const batches = chunksOf(quizzes, MAX_REVIEWS, ({ answers }) => answers.length);
  return { ...found, batches: batches.map((batch) => takeQuizzes(redis, batch)) };
}

/** @returns the quizzes in the order of their first pending answers */
export async function readPendingQuizzes(redis: RedisClient) {
  const indexes = await Promise.all(
    PENDING_KEYS.map((key) => redis.zrange(key, '0', `${MAX_IDS_AN_INDEX - 1}`, 'WITHSCORES')),
  );
  const found = indexes
    .flatMap((index) => chunksOf(index, 2).map(([sessionId = '', since]) => ({ sessionId, sinceMs: Number(since) })))
    .toSorted((one, other) => one.sinceMs - other.sinceMs);
  const hasMore = found.length > MAX_QUIZZES_AT_ONCE || indexes.some(({ length }) => length === 2 * MAX_IDS_AN_INDEX);
  const oldest = found.slice(0, MAX_QUIZZES_AT_ONCE);
  const quizzes = await Promise.all(oldest.map(({ sessionId }) => readQuiz(redis, sessionId)));
  return { quizzes, sinceMs: found[0]?.sinceMs ?? null, hasMore };
}

async function readQuiz(redis: RedisClient, sessionId: string) {
  const { userId, words, ...fields } = await redis.hgetall(reviewsKey(sessionId));
  const answers = Object.entries(fields).map(([number, text]) => ({
    number: Number(number),
    review: parseReview(text, { userId, words }),
  }));
  return { sessionId, answers: answers.toSorted((one, other) => one.number - other.number) };
}

/** @returns null for a record that can't be parsed */
function parseReview(text: string, ofQuiz: object): Review | null {
  try {
    return StoredReview.parse({ ...JSON.parse(text), ...ofQuiz });
  } catch {
    return null;
  }
}

/** Takes quizzes. Answers that another worker has learned meanwhile are passed over. */
export function takeQuizzes(redis: RedisClient, quizzes: readonly PendingQuiz[]): TakeBatch {
  return async (tx) => ({
    taken: quizzes.length,
    userIds: quizzes.flatMap(({ answers }) => answers.flatMap(({ review }) => review?.userId ?? [])),
    async read() {
      const ids = quizzes.map(({ sessionId }) => sessionId);
      const rows = await tx.learnedQuiz.findMany({ where: { sessionId: { in: ids } } });
      const learned = new Map(rows.map(({ sessionId, answers }) => [sessionId, answers]));
      return quizzes.flatMap(({ sessionId, answers }) => {
        const last = learned.get(sessionId) ?? 0;
        return answers.filter(({ number }) => number > last).map(({ review }) => review);
      });
    },
    mark: () => saveLearned(tx, quizzes),
    forget: () => forgetLearned(redis, quizzes),
  });
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

async function forgetLearned(redis: RedisClient, quizzes: readonly PendingQuiz[]): Promise<void> {
  const forgotten = quizzes.map(({ sessionId, answers }) => {
    // HDEL needs a field. No answer has the number 0.
    const args = [sessionId, 0, ...answers.map(({ number }) => number)];
    return runScript(redis, forgetScript, [pendingKey(sessionId), reviewsKey(sessionId)], args);
  });
  await Promise.all(forgotten);
}
