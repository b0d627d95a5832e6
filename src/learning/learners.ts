// Locks the users whose answers are learned, and finds the accounts of former guests. [contract 11, 13]
import type { Prisma } from '../generated/prisma/client.ts';

/** The timeout of a learning transaction, ms, after which it is rolled back and tried again later. */
export const LEARNING_TIMEOUT_MS = 30_000;

/**
 * Locks these users, and the accounts that guests among them have become, until the transaction ends. Two
 * workers then write the answers of one user one after the other, and a hand-over or a deletion waits. The
 * order of the ids prevents deadlocks.
 * @returns for each user who still exists the user who learns: the same one, or the account that a guest has
 *   become
 * @throws GuestHandedOverError when an account appears that is not locked; nothing is written yet
 */
export async function lockLearners(
  tx: Prisma.TransactionClient,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  const locked = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM "user"
     WHERE id IN (SELECT unnest(${userIds}::uuid[])
                   UNION SELECT account_id FROM guest_hand_over
                          WHERE guest_id = ANY(${userIds}::uuid[]))
     ORDER BY id FOR NO KEY UPDATE`;
  const present = new Set(locked.map(({ id }) => id));
  // A hand-over may have committed while this transaction waited for locks, so that it is read after them.
  const accounts = await findAccounts(tx, userIds);
  if ([...accounts.values()].some((id) => !present.has(id))) throw new GuestHandedOverError();
  return new Map(
    userIds.flatMap((userId) => {
      const learner = accounts.get(userId) ?? userId;
      return present.has(learner) ? [[userId, learner] as const] : [];
    }),
  );
}

/** A guest has become an account while a transaction waited for locks. The caller tries again. */
export class GuestHandedOverError extends Error {
  constructor() {
    super('a guest has become an account in this moment');
  }
}

/** Repeats an attempt during which a guest's account was handed over, which the repetition then sees. */
export async function retryAfterHandOver<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof GuestHandedOverError) return attempt();
    throw error;
  }
}

/** @returns the account of each of these users who was a guest */
async function findAccounts(tx: Prisma.TransactionClient, userIds: readonly string[]) {
  const rows = await tx.$queryRaw<{ guestId: string; accountId: string }[]>`
    SELECT guest_id AS "guestId", account_id AS "accountId" FROM guest_hand_over
     WHERE guest_id = ANY(${userIds}::uuid[])`;
  return new Map(rows.map(({ guestId, accountId }) => [guestId, accountId]));
}
