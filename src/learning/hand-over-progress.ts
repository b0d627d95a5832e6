// Transfers a guest's progress to the account that the guest signs in to. [contract 11]
import type { Prisma } from '../generated/prisma/client.ts';

/**
 * Moves the memories of the guest's words to the account. Where both have answered a word, the memory with the later
 * answer stays, and a word that the account has suspended stays suspended. Answers that are learned afterwards count for
 * the account: a worker waits for this transaction's locks, and then finds the row of `guest_hand_over`. Repeating it
 * changes nothing.
 * @param tx a transaction that has locked both users
 */
export async function handOverProgress(
  tx: Prisma.TransactionClient,
  guestId: string,
  accountId: string,
): Promise<void> {
  await tx.$executeRaw`
      INSERT INTO guest_hand_over (guest_id, account_id)
      VALUES (${guestId}::uuid, ${accountId}::uuid)
      ON CONFLICT (guest_id) DO NOTHING`;
  await tx.$executeRaw`
      WITH theirs AS (DELETE FROM learned_word WHERE user_id = ${guestId}::uuid RETURNING *)
      INSERT INTO learned_word AS held
             (user_id, word, deck_id, list_id, source_key, gloss, due, stability, difficulty,
              state, step, scheduled_days, reps, lapses, reviewed_at, suspended)
      SELECT ${accountId}::uuid, word, deck_id, list_id, source_key, gloss, due, stability,
             difficulty, state, step, scheduled_days, reps, lapses, reviewed_at, suspended
        FROM theirs
      ON CONFLICT (user_id, word) DO UPDATE
         SET due = EXCLUDED.due, stability = EXCLUDED.stability, difficulty = EXCLUDED.difficulty,
             state = EXCLUDED.state, step = EXCLUDED.step, scheduled_days = EXCLUDED.scheduled_days,
             reps = EXCLUDED.reps, lapses = EXCLUDED.lapses, reviewed_at = EXCLUDED.reviewed_at,
             suspended = held.suspended OR EXCLUDED.suspended
       WHERE EXCLUDED.reviewed_at > held.reviewed_at`;
  await tx.$executeRaw`
      WITH theirs AS (DELETE FROM review_count WHERE user_id = ${guestId}::uuid RETURNING *)
      INSERT INTO review_count AS held (user_id, quarter, reviews)
      SELECT ${accountId}::uuid, quarter, reviews FROM theirs
      ON CONFLICT (user_id, quarter) DO UPDATE SET reviews = held.reviews + EXCLUDED.reviews`;
}
