// Bounds the live quizzes of all guests of one client address, each of whom may have as many as any user. Whoever ends
// a quiz tells the account of the address; what a crash keeps from it expires like the quiz. [contract 17]
import { BUDGETS } from '../budgets.ts';
import { countedNetworks } from '../http/client-address.ts';
import { type Account, type Excess, type Holding, settle, tellHoldings } from '../platform/redis/holdings.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { liveKey, quizKey, quizzesAccount } from './keys.ts';

/** Redis allocates up to a fifth more for a quiz than its texts have. */
const BYTES_PER_TEXT_BYTE = 6 / 5;
/** What a quiz takes besides its texts, in bytes: its keys, its entries in lists, and those of the account. */
const OVERHEAD_BYTES = 1024;

export interface GuestsQuiz {
  sessionId: string;
  userId: string;
  /** The client address at the guest's creation; absent for a user with an account. */
  guestFrom: string | undefined;
}

/**
 * Counts a guest's new quiz, stores it, and ends older ones where the guests of the address hold too much: the oldest
 * of whoever holds most. A quiz is counted before it is stored, so that none is stored uncounted.
 * @param texts all of the quiz
 */
export async function saveWithinBudget(
  redis: RedisClient,
  { guestFrom, userId, sessionId }: GuestsQuiz,
  { texts, ttlSeconds }: { texts: readonly (string | number)[]; ttlSeconds: number },
  save: () => Promise<void>,
): Promise<void> {
  if (guestFrom === undefined) return save();
  const taken = Math.ceil(Buffer.byteLength(texts.join('')) * BYTES_PER_TEXT_BYTE) + OVERHEAD_BYTES;
  const quiz = { holder: userId, item: sessionId, bytes: taken };
  const counted: [Account, Excess | null][] = [];
  for (const account of accountsOf(guestFrom, ttlSeconds))
    counted.push([account, await tellHoldings(redis, account, [quiz])]);
  await save();
  for (const [account, excess] of counted) await settle(redis, account, excess, (much) => endOldest(redis, much));
}

/** Counts a finished quiz of a guest no longer. Where that fails, it counts until it would have expired. */
export async function releaseQuiz(
  redis: RedisClient,
  { guestFrom, userId, sessionId }: GuestsQuiz,
  ttlSeconds: number,
): Promise<void> {
  const finished = { holder: userId, item: sessionId, bytes: 0 };
  const accounts = accountsOf(guestFrom, ttlSeconds);
  await Promise.allSettled(accounts.map((account) => tellHoldings(redis, account, [finished])));
}

function accountsOf(guestFrom: string | undefined, ttlSeconds: number): Account[] {
  if (guestFrom === undefined) return [];
  return countedNetworks(guestFrom).map(({ key, times }) => {
    const max = times * BUDGETS.guestsQuizzes.max;
    const ttlMs = ttlSeconds * 1000;
    return { name: quizzesAccount(key), max, maxOfHolder: max, ttlMs, relief: 0, yieldingAtOnce: 1 };
  });
}

/** Ends the oldest quiz of whoever holds most. */
async function endOldest(redis: RedisClient, { holders }: Excess): Promise<Holding[]> {
  const ended = holders.flatMap(({ holder, items: [oldest] }) =>
    oldest ? [{ holder, item: oldest.item, bytes: 0 }] : [],
  );
  await Promise.all(
    ended.flatMap(({ holder, item }) => [
      redis.del(quizKey(item)),
      redis.lrem(liveKey(item, holder), 1, quizKey(item)),
    ]),
  );
  return ended;
}
