// What a guest has learned becomes the account's. [contract 11]
import type { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../platform/postgres.ts';
import { LOCK_KEY } from './store.ts';

/**
 * Of a word that both have answered, what the later answer came to holds. Answers that are not written
 * yet become the account's when they are: until then nobody writes, and from then on whoever does sees
 * the note.
 * @returns the statements, for a transaction; repeating them changes nothing
 */
export function handOverProgress(
  db: Database,
  guestId: string,
  accountId: string,
): Prisma.PrismaPromise<number>[] {
  return [
    db.$executeRaw`SELECT pg_advisory_xact_lock_shared(${LOCK_KEY})`,
    db.$executeRaw`
      INSERT INTO guest_hand_over (guest_id, account_id)
      VALUES (${guestId}::uuid, ${accountId}::uuid)
      ON CONFLICT (guest_id) DO NOTHING`,
    db.$executeRaw`
      WITH theirs AS (DELETE FROM learned_word WHERE user_id = ${guestId}::uuid RETURNING *)
      INSERT INTO learned_word AS held
             (user_id, word, deck_id, list_id, source_key, gloss, due, stability, difficulty,
              state, step, scheduled_days, reps, lapses, reviewed_at)
      SELECT ${accountId}::uuid, word, deck_id, list_id, source_key, gloss, due, stability,
             difficulty, state, step, scheduled_days, reps, lapses, reviewed_at
        FROM theirs
      ON CONFLICT (user_id, word) DO UPDATE
         SET due = EXCLUDED.due, stability = EXCLUDED.stability, difficulty = EXCLUDED.difficulty,
             state = EXCLUDED.state, step = EXCLUDED.step, scheduled_days = EXCLUDED.scheduled_days,
             reps = EXCLUDED.reps, lapses = EXCLUDED.lapses, reviewed_at = EXCLUDED.reviewed_at
       WHERE EXCLUDED.reviewed_at > held.reviewed_at`,
    db.$executeRaw`
      WITH theirs AS (DELETE FROM review_count WHERE user_id = ${guestId}::uuid RETURNING *)
      INSERT INTO review_count AS held (user_id, quarter, reviews)
      SELECT ${accountId}::uuid, quarter, reviews FROM theirs
      ON CONFLICT (user_id, quarter) DO UPDATE SET reviews = held.reviews + EXCLUDED.reviews`,
  ];
}
