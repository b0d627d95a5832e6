// Clears away the sessions and links that have expired; nobody reads them any more. Accounts that
// were never verified stay: their owners may still come.
import type { Logger } from '../src/platform/logger.ts';
import type { Database } from '../src/platform/postgres.ts';

/** Rows a statement, so that none holds its locks for long. */
const BATCH_ROWS = 1000;

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
  if (sessions + verifications > 0)
    logger.info({ sessions, verifications }, 'expired rows removed');
}

async function inBatches(removeBatch: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const removed = await removeBatch();
    total += removed;
    if (removed < BATCH_ROWS) return total;
  }
}
