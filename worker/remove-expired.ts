// Deletes expired rows: sessions, links, accounts without a confirmed address, sign-ups with an address that
// another one has confirmed, marks of learned quizzes, and hand-overs of guests. [contract 11, 17]
import { BUDGETS } from '../src/budgets.ts';
import type { CommonServices } from '../src/common-services.ts';
import { Prisma } from '../src/generated/prisma/client.ts';
import type { Database } from '../src/platform/postgres/postgres.ts';

/** How many rows one statement deletes; with more it would lock rows for too long. */
const BATCH_ROWS = 1000;

/** An account whose address is not confirmed is deleted after this time. */
const UNCONFIRMED_FOR = `${BUDGETS.unconfirmed.max} ${BUDGETS.unconfirmed.unit}`;
/** A sign-up stays this long after another one has confirmed its address: its link may still be valid. */
const ATTEMPTS_FOR = '1 day';
/** Hand-overs of guests and marks of learned quizzes are deleted after this time: learning takes seconds. */
const LEARNING_FOR = '7 days';

/** With SKIP LOCKED, concurrent workers don't wait for each other. */
const BATCH = Prisma.sql`LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED`;

/** The statements that delete a batch of rows, by the names in the log. */
const DELETIONS = {
  sessions: Prisma.sql`
    DELETE FROM session WHERE id IN (SELECT id FROM session WHERE expires_at < now() ${BATCH})`,
  verifications: Prisma.sql`
    DELETE FROM verification WHERE id IN (
      SELECT id FROM verification WHERE expires_at < now() ${BATCH})`,
  unconfirmed: Prisma.sql`
    DELETE FROM "user" WHERE id IN (
      SELECT id FROM "user" WHERE NOT email_verified AND is_anonymous IS NOT TRUE
         AND created_at < now() - ${UNCONFIRMED_FOR}::interval ${BATCH})`,
  signUps: Prisma.sql`
    DELETE FROM sign_up WHERE id IN (
      SELECT id FROM sign_up s WHERE created_at < now() - ${ATTEMPTS_FOR}::interval
         AND EXISTS (SELECT FROM "user" u WHERE u.id = s.user_id AND u.email_verified) ${BATCH})`,
  handOvers: Prisma.sql`
    DELETE FROM guest_hand_over WHERE guest_id IN (
      SELECT guest_id FROM guest_hand_over
       WHERE created_at < now() - ${LEARNING_FOR}::interval ${BATCH})`,
  learnedQuizzes: Prisma.sql`
    DELETE FROM learned_quiz WHERE session_id IN (
      SELECT session_id FROM learned_quiz
       WHERE learned_at < now() - ${LEARNING_FOR}::interval ${BATCH})`,
};

export async function removeExpired({ db, logger }: Pick<CommonServices, 'db' | 'logger'>) {
  const removed: Record<string, number> = {};
  for (const [name, deletion] of Object.entries(DELETIONS)) removed[name] = await removeAll(db, deletion);
  if (Object.values(removed).some(Boolean)) logger.info(removed, 'expired rows removed');
}

async function removeAll(db: Database, deletion: Prisma.Sql): Promise<number> {
  let total = 0;
  for (;;) {
    const removed = await db.$executeRaw(deletion);
    total += removed;
    if (removed < BATCH_ROWS) return total;
  }
}
