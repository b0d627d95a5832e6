// Clears away what is over: sessions and links that have expired, the accounts whose address nobody
// has confirmed for a week, what was tried with the addresses of others, and whose the answers of guests
// have become that are long written. [contract 11, 17]
import type { Logger } from '../src/platform/logger.ts';
import type { Database } from '../src/platform/postgres.ts';

/** Rows a statement, so that none holds its locks for long. */
const BATCH_ROWS = 1000;

const UNCONFIRMED_FOR = '7 days';
/** As long as a link works that might be asked for meanwhile. */
const ATTEMPTS_FOR = '1 day';
/** Longer than judged answers wait to be written. */
const HAND_OVERS_FOR = '7 days';

/** Deletes them in batches; several workers at once don't wait for each other. */
export async function removeExpired({
  db,
  logger,
}: {
  db: Database;
  logger: Logger;
}): Promise<void> {
  const sessions = await inBatches(
    () => db.$executeRaw`
      DELETE FROM session WHERE id IN (
        SELECT id FROM session WHERE expires_at < now() LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED
      )`,
  );
  const verifications = await inBatches(
    () => db.$executeRaw`
      DELETE FROM verification WHERE id IN (
        SELECT id FROM verification WHERE expires_at < now() LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED
      )`,
  );
  const unconfirmed = await inBatches(
    () => db.$executeRaw`
      DELETE FROM "user" WHERE id IN (
        SELECT id FROM "user"
        WHERE NOT email_verified AND is_anonymous IS NOT TRUE AND created_at < now() - ${UNCONFIRMED_FOR}::interval
        LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED
      )`,
  );
  const signUps = await inBatches(
    () => db.$executeRaw`
      DELETE FROM sign_up WHERE id IN (
        SELECT s.id FROM sign_up s JOIN "user" u ON u.id = s.user_id
        WHERE u.email_verified AND s.created_at < now() - ${ATTEMPTS_FOR}::interval
        LIMIT ${BATCH_ROWS} FOR UPDATE OF s SKIP LOCKED
      )`,
  );
  const handOvers = await inBatches(
    () => db.$executeRaw`
      DELETE FROM guest_hand_over WHERE guest_id IN (
        SELECT guest_id FROM guest_hand_over
        WHERE created_at < now() - ${HAND_OVERS_FOR}::interval
        LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED
      )`,
  );
  const removed = { sessions, verifications, unconfirmed, signUps, handOvers };
  if (Object.values(removed).some(Boolean)) logger.info(removed, 'expired rows removed');
}

async function inBatches(removeBatch: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const removed = await removeBatch();
    total += removed;
    if (removed < BATCH_ROWS) return total;
  }
}
