// Deletes expired rows: sessions, links, accounts without a confirmed address, sign-ups with an address that
// another one has confirmed, marks of learned quizzes, and hand-overs of guests. [contract 11, 17]
import { BUDGETS } from '../src/budgets.ts';
import type { CommonServices } from '../src/common-services.ts';
import { Prisma } from '../src/generated/prisma/client.ts';

/** How many rows one statement deletes; with more it would lock rows for too long. */
const BATCH_ROWS = 1000;

const UNCONFIRMED_FOR = `${BUDGETS.unconfirmed.max} ${BUDGETS.unconfirmed.unit}`;

/** What is deleted, by its name in the log: the table, its key, and which of the rows have expired. */
const EXPIRED = {
  sessions: ['session', 'id', 'expires_at < now()'],
  verifications: ['verification', 'id', 'expires_at < now()'],
  unconfirmed: [
    '"user"',
    'id',
    `NOT email_verified AND is_anonymous IS NOT TRUE AND created_at < now() - interval '${UNCONFIRMED_FOR}'`,
  ],
  // A sign-up stays for a day after another one has confirmed its address: its link may still be valid.
  signUps: [
    'sign_up',
    'id',
    `created_at < now() - interval '1 day'
       AND EXISTS (SELECT FROM "user" u WHERE u.id = sign_up.user_id AND u.email_verified)`,
  ],
  // Learning, which reads these two, takes seconds.
  handOvers: ['guest_hand_over', 'guest_id', "created_at < now() - interval '7 days'"],
  learnedQuizzes: ['learned_quiz', 'session_id', "learned_at < now() - interval '7 days'"],
} as const;

export async function removeExpired({ db, logger }: Pick<CommonServices, 'db' | 'logger'>) {
  const removed: Record<string, number> = {};
  for (const [name, [table, key, condition]] of Object.entries(EXPIRED)) {
    // With SKIP LOCKED, concurrent workers don't wait for each other.
    const deletion = Prisma.raw(`DELETE FROM ${table} WHERE ${key} IN (
      SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED)`);
    removed[name] = 0;
    let deleted: number;
    do {
      deleted = await db.$executeRaw(deletion);
      removed[name] += deleted;
    } while (deleted === BATCH_ROWS);
  }
  if (Object.values(removed).some(Boolean)) logger.info(removed, 'expired rows removed');
}
