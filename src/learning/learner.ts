// The learner: one transaction takes judged answers from a source, writes their reviews, and marks the answers as
// learned, so that each counts once, even if a process crashes. Games, quizzes, attempts are sources. [contract 11, 13]
import type { Prisma } from '../generated/prisma/client.ts';
import type { Verdict } from '../judging/verdict.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { normalise, wordKey } from '../vocabulary/rules.ts';
import { review } from './rules.ts';
import * as store from './store.ts';
import { type WordReference, wordId } from './word-ids.ts';

/** The number of reviews at which a batch ends, so that its transaction releases its locks soon. */
export const MAX_REVIEWS = 2000;

/** The timeout of a learning transaction, ms, after which it is rolled back and tried again later. */
const LEARNING_TIMEOUT_MS = 30_000;

export interface Review {
  userId: string;
  /** The name of the deck or list that the word belongs to. */
  words: string;
  word: WordReference;
  verdict: Verdict;
  /** The time of the judgement by the Redis server's clock, ms. */
  judgedAtMs: number;
}

/** What a source has that is not learned. */
export interface PendingReviews {
  /** The time since when the oldest answer waits, ms since 1970; null without one. */
  sinceMs: number | null;
  batches: readonly TakeBatch[];
  /** Whether the source may have more than these. */
  hasMore: boolean;
}

/**
 * Takes the answers that wait longest, as far as one transaction may, and as nobody else learns them at the moment.
 * @returns null if there are none
 */
export type TakeBatch = (tx: Prisma.TransactionClient) => Promise<Batch | null>;

export interface Batch {
  taken: number;
  userIds: readonly string[];
  /** Reads the answers that are not learned yet once the users are locked. Null stands for one that can't be read. */
  read(): Promise<readonly (Review | null)[]>;
  mark(): Promise<void>;
  /** Removes the answers after the commit. If that fails, they are found again, but not learned again. */
  forget?(): Promise<void>;
}

/**
 * Learns one batch.
 * @returns how much; a `taken` of 0 when nothing is left, and in `unreadable` the answers or rounds passed over
 * @throws when PostgreSQL is away; nothing is marked then
 */
export async function learnBatch(db: Database, take: TakeBatch) {
  const learn = () =>
    db.$transaction(
      async (tx) => {
        const batch = await take(tx);
        if (!batch) return null;
        const learners = await lockLearners(tx, [...new Set(batch.userIds)]);
        const answers = await batch.read();
        const reviews = answers.filter((review) => review !== null);
        await writeReviews(tx, reviews, learners);
        await batch.mark();
        return { batch, reviews: reviews.length, unreadable: answers.length - reviews.length };
      },
      { timeout: LEARNING_TIMEOUT_MS },
    );
  const done = await learn().catch((error: unknown) => {
    // The repetition sees the hand-over.
    if (error instanceof GuestHandedOverError) return learn();
    throw error;
  });
  if (!done) return { taken: 0, reviews: 0, unreadable: 0 };
  const { batch, ...counts } = done;
  await batch.forget?.();
  return { taken: batch.taken, ...counts };
}

/** @returns what a table has that is not learned, of which each batch takes the oldest. @param since the time of the oldest */
export function pendingSince(since: Date | null | undefined, take: TakeBatch): PendingReviews {
  return { sinceMs: since?.getTime() ?? null, batches: since ? [take] : [], hasMore: Boolean(since) };
}

/**
 * Locks these users, and the accounts that guests among them have become, until the transaction ends. Two workers then
 * write the answers of one user one after the other, and a hand-over or a deletion waits. The order of the ids prevents
 * deadlocks.
 * @returns for each user who still exists the user who learns: the same one, or the account that a guest has become
 * @throws GuestHandedOverError when an account appears that is not locked; nothing is written yet
 */
async function lockLearners(tx: Prisma.TransactionClient, userIds: readonly string[]): Promise<Map<string, string>> {
  const locked = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM "user"
     WHERE id IN (SELECT unnest(${userIds}::uuid[])
                   UNION SELECT account_id FROM guest_hand_over
                          WHERE guest_id = ANY(${userIds}::uuid[]))
     ORDER BY id FOR NO KEY UPDATE`;
  const present = new Set(locked.map(({ id }) => id));
  // A hand-over may have committed while this transaction waited for locks, so that it is read after them.
  const handOvers = await tx.$queryRaw<{ guestId: string; accountId: string }[]>`
    SELECT guest_id AS "guestId", account_id AS "accountId" FROM guest_hand_over
     WHERE guest_id = ANY(${userIds}::uuid[])`;
  const accounts = new Map(handOvers.map(({ guestId, accountId }) => [guestId, accountId]));
  if (handOvers.some(({ accountId }) => !present.has(accountId))) throw new GuestHandedOverError();
  const learners = userIds.map((userId) => [userId, accounts.get(userId) ?? userId] as const);
  return new Map(learners.filter(([, learner]) => present.has(learner)));
}

/** A guest has become an account while a transaction waited for locks. The caller tries again. */
export class GuestHandedOverError extends Error {}

/**
 * Updates the memories of the answered words. Answers to words of a deleted deck or list are only counted.
 * @param learners the result of `lockLearners`; answers of other users are dropped
 */
async function writeReviews(
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
  await store.addReviewCounts(tx, known);
}

async function updateMemories(tx: Prisma.TransactionClient, reviews: readonly Review[]): Promise<void> {
  const answers = await withStoredWords(tx, reviews);
  if (answers.length === 0) return;
  const keys = answers.map(({ userId, word }) => ({ userId, word: word.word }));
  const before = await store.findMemories(tx, keys);
  const after = new Map<string, store.MemoryOfWord>();
  for (const { userId, word, verdict, judgedAtMs } of answers) {
    const key = store.memoryKey(userId, word.word);
    const known = after.get(key)?.memory ?? before.get(key) ?? null;
    after.set(key, { userId, word, memory: review(known, verdict, judgedAtMs) });
  }
  await store.saveMemories(tx, [...after.values()]);
}

/** Finds the word of each answer. The answers to one question share a reference, which is resolved once. */
async function withStoredWords(tx: Prisma.TransactionClient, reviews: readonly Review[]) {
  const origins = await store.lockDecksAndLists(tx, [...new Set(reviews.map(({ words }) => words))]);
  const found = new Map<WordReference, store.StoredWord>();
  return reviews.flatMap(({ words, word: reference, ...answer }) => {
    const origin = origins.get(words);
    if (!origin) return [];
    const word = found.get(reference) ?? { ...origin, ...keyOf(words, reference) };
    found.set(reference, word);
    return [{ ...answer, word }];
  });
}

/** @returns the columns of the word; those of a list's word lack the texts, since the list has them */
function keyOf(words: string, reference: WordReference) {
  if ('id' in reference) return { word: reference.id, sourceKey: '', gloss: null };
  const { prompt, gloss = null } = reference;
  return { word: wordId(words, wordKey(reference)), sourceKey: normalise(prompt), gloss };
}
