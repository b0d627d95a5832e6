// Finds quizzes with unlearned answers for the worker. Each hash tag has an index of its own. [contract 13]
import { z } from 'zod';
import { judged, verdictOfJudged } from '../learning/judged-answer.ts';
import type { QuizAnswer, UnlearnedQuiz } from '../learning/learn-quizzes.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { loadScript, runScript } from '../platform/redis/scripts.ts';
import { reviewsKey, UNLEARNED_KEYS, unlearnedKey } from './keys.ts';

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

interface FoundQuizzes {
  /** The quizzes in the order of their first unlearned answers. */
  quizzes: UnlearnedQuiz[];
  /** The time of the first unlearned answer, ms; null without one. */
  oldestMs: number | null;
  /** Whether there may be more quizzes. */
  hasMore: boolean;
}

export async function findUnlearnedQuizzes(redis: RedisClient): Promise<FoundQuizzes> {
  const indexes = await Promise.all(
    UNLEARNED_KEYS.map((key) => redis.zrange(key, '0', `${MAX_IDS_AN_INDEX - 1}`, 'WITHSCORES')),
  );
  const found = indexes.flatMap(pairsOf).toSorted((one, other) => one.sinceMs - other.sinceMs);
  const hasMore = found.length > MAX_QUIZZES_AT_ONCE || indexes.some(({ length }) => length === 2 * MAX_IDS_AN_INDEX);
  const oldest = found.slice(0, MAX_QUIZZES_AT_ONCE);
  const quizzes = await Promise.all(oldest.map(({ sessionId }) => readQuiz(redis, sessionId)));
  return { quizzes, oldestMs: found[0]?.sinceMs ?? null, hasMore };
}

/** @param index the reply of ZRANGE: ids and times alternately */
function pairsOf(index: readonly string[]): { sessionId: string; sinceMs: number }[] {
  return index.flatMap((sessionId, at) => (at % 2 === 0 ? [{ sessionId, sinceMs: Number(index[at + 1]) }] : []));
}

async function readQuiz(redis: RedisClient, sessionId: string): Promise<UnlearnedQuiz> {
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

/** Removes learned answers. If that fails, they are found again, but not learned again. */
export async function forgetLearned(
  redis: RedisClient,
  quizzes: readonly Pick<UnlearnedQuiz, 'sessionId' | 'answers'>[],
): Promise<void> {
  await Promise.all(
    quizzes.map(({ sessionId, answers }) =>
      runScript(
        redis,
        forgetScript,
        [unlearnedKey(sessionId), reviewsKey(sessionId)],
        // HDEL needs a field. No answer has the number 0.
        [sessionId, 0, ...answers.map(({ number }) => number)],
      ),
    ),
  );
}
