// Hands over a guest's data, but no lobbies and running games, at the first sign-in with an account. [contract 11]
import { handOverAttempts } from '../assignments/attempt-store.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { handOverProgress } from '../learning/store.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { handOverLists } from '../vocabulary/lists/store.ts';

/** It is idempotent. Games are locked before users, in the order of the worker that learns from them. */
export async function handOver(db: Database, guestId: string, accountId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    await handOverGames(tx, guestId, accountId);
    // The locks wait until transactions that store something for either user have ended, and later ones wait for them.
    // A start or a list that waits for the guest is refused then. The order of the ids prevents deadlocks.
    await tx.$queryRaw`
      SELECT id FROM "user" WHERE id IN (${guestId}::uuid, ${accountId}::uuid) ORDER BY id FOR UPDATE`;
    await handOverLists(tx, guestId, accountId);
    await handOverProgress(tx, guestId, accountId);
    await handOverAttempts(tx, guestId, accountId);
  });
}

/**
 * Locks the games first, so that the second statement sees what another guest's concurrent hand-over has changed.
 * A game in which both took part stays as it is.
 */
async function handOverGames(tx: Prisma.TransactionClient, guestId: string, accountId: string): Promise<void> {
  const games = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM game
     WHERE presenter_id = ${guestId}::uuid OR host_id = ${guestId}::uuid
        OR id IN (SELECT game_id FROM game_score WHERE user_id = ${guestId}::uuid)
     ORDER BY id FOR UPDATE`;
  const ids = games.map(({ id }) => id);
  await tx.$executeRaw`
    WITH theirs AS (
      SELECT id FROM game
       WHERE id = ANY(${ids}::uuid[]) AND presenter_id IS DISTINCT FROM ${accountId}::uuid
         AND id NOT IN (SELECT game_id FROM game_score WHERE user_id = ${accountId}::uuid)
    ), scores AS (
      UPDATE game_score SET user_id = ${accountId}::uuid
       WHERE user_id = ${guestId}::uuid AND game_id IN (SELECT id FROM theirs)
    )
    UPDATE game
       SET winner_ids = array_replace(winner_ids, ${guestId}::uuid, ${accountId}::uuid),
           presenter_id = CASE WHEN presenter_id = ${guestId}::uuid
                               THEN ${accountId}::uuid ELSE presenter_id END,
           host_id = CASE WHEN host_id = ${guestId}::uuid THEN ${accountId}::uuid ELSE host_id END
     WHERE id IN (SELECT id FROM theirs)`;
}
