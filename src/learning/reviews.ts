// Writes the reviews of judged answers. The caller's transaction also marks their game or quiz as learned, so
// that each answer counts exactly once, even if a process crashes. [contract 13]
import type { Prisma } from '../generated/prisma/client.ts';
import type { Verdict } from '../judging/verdict.ts';
import { normalise, wordKey } from '../vocabulary/rules.ts';
import { QUARTER_MS, review } from './rules.ts';
import {
  addReviewCounts,
  findMemories,
  lockDecksAndLists,
  type MemoryOfWord,
  memoryKey,
  type StoredWord,
  saveMemories,
} from './store.ts';
import { type WordReference, wordId } from './word-ids.ts';

/**
 * The maximum number of reviews that one transaction writes, so that its locks are released soon. The next
 * transaction writes the others.
 */
export const MAX_REVIEWS = 2000;

/** A judged answer. */
export interface Review {
  userId: string;
  /** The name of the deck or list that the word belongs to. */
  words: string;
  word: WordReference;
  verdict: Verdict;
  /** The time of the judgement by the Redis server's clock, ms. */
  judgedAtMs: number;
}

/**
 * Updates the memories of the answered words. Answers to words of a deleted deck or list are only counted.
 * @param tx a transaction that has locked the learners
 * @param learners the result of `lockLearners`: for each user who has answered, the user who learns, since a
 *   guest may have become an account; answers of other users are dropped
 */
export async function writeReviews(
  tx: Prisma.TransactionClient,
  reviews: readonly Review[],
  learners: ReadonlyMap<string, string>,
): Promise<void> {
  const known = reviews
    .flatMap((answer) => {
      const userId = learners.get(answer.userId);
      return userId === undefined ? [] : [{ ...answer, userId }];
    })
    .toSorted((one, other) => one.judgedAtMs - other.judgedAtMs);
  if (known.length === 0) return;
  await updateMemories(tx, known);
  await addReviewCounts(tx, countByQuarter(known));
}

async function updateMemories(tx: Prisma.TransactionClient, reviews: readonly Review[]): Promise<void> {
  const answers = await withStoredWords(tx, reviews);
  if (answers.length === 0) return;
  const before = await findMemories(
    tx,
    answers.map(({ userId, word }) => ({ userId, word: word.word })),
  );
  const after = new Map<string, MemoryOfWord>();
  for (const { userId, word, verdict, judgedAtMs } of answers) {
    const key = memoryKey(userId, word.word);
    const known = after.get(key)?.memory ?? before.get(key) ?? null;
    after.set(key, { userId, word, memory: review(known, verdict, judgedAtMs) });
  }
  // The same order in all transactions prevents deadlocks.
  const inOrder = [...after].toSorted(([one], [other]) => (one < other ? -1 : 1));
  await saveMemories(
    tx,
    inOrder.map(([, memory]) => memory),
  );
}

/** Finds the word of each answer. The answers to one question share a reference, which is resolved once. */
async function withStoredWords(tx: Prisma.TransactionClient, reviews: readonly Review[]) {
  const origins = await lockDecksAndLists(tx, [...new Set(reviews.map(({ words }) => words))]);
  const found = new Map<WordReference, StoredWord>();
  return reviews.flatMap(({ words, word: reference, ...answer }) => {
    const origin = origins.get(words);
    if (!origin) return [];
    const word = found.get(reference) ?? { ...origin, ...keyOf(words, reference) };
    found.set(reference, word);
    return [{ ...answer, word }];
  });
}

/** @returns the columns of the word; those of a list's word lack the texts, since the list has them */
function keyOf(words: string, reference: WordReference): Pick<StoredWord, 'word' | 'sourceKey' | 'gloss'> {
  if ('id' in reference) return { word: reference.id, sourceKey: '', gloss: null };
  return {
    word: wordId(words, wordKey(reference)),
    sourceKey: normalise(reference.prompt),
    gloss: reference.gloss ?? null,
  };
}

/** @returns the number of answers by user and quarter of an hour, in the order in which rows are locked */
function countByQuarter(reviews: readonly Review[]) {
  const counts = new Map<string, { userId: string; quarterMs: number; reviews: number }>();
  for (const { userId, judgedAtMs } of reviews) {
    const quarterMs = Math.floor(judgedAtMs / QUARTER_MS) * QUARTER_MS;
    const key = `${userId} ${quarterMs}`;
    const count = counts.get(key);
    if (count) count.reviews++;
    else counts.set(key, { userId, quarterMs, reviews: 1 });
  }
  const inOrder = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return inOrder.map(([, { userId, quarterMs, reviews }]) => ({
    userId,
    quarter: new Date(quarterMs).toISOString(),
    reviews,
  }));
}
