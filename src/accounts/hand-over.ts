// What becomes of a guest's things at the first sign-in with an account. Lobbies and games that run
// stay the guest's. [contract 11]
import { handOverProgress } from '../learning/hand-over-progress.ts';
import type { Database } from '../platform/postgres.ts';

/**
 * Makes stored results, progress and lists the account's, all of them or none; repeating it changes nothing.
 * A game in which both were stays as it is.
 */
export async function handOver(db: Database, guestId: string, accountId: string): Promise<void> {
  await db.$transaction([
    db.$executeRaw`
      WITH theirs AS (
        SELECT id FROM game
         WHERE (presenter_id = ${guestId}::uuid
                OR id IN (SELECT game_id FROM game_score WHERE user_id = ${guestId}::uuid))
           AND presenter_id IS DISTINCT FROM ${accountId}::uuid
           AND id NOT IN (SELECT game_id FROM game_score WHERE user_id = ${accountId}::uuid)
           FOR UPDATE
      ), scores AS (
        UPDATE game_score SET user_id = ${accountId}::uuid
         WHERE user_id = ${guestId}::uuid AND game_id IN (SELECT id FROM theirs)
      )
      UPDATE game
         SET winner_ids = array_replace(winner_ids, ${guestId}::uuid, ${accountId}::uuid),
             presenter_id = CASE WHEN presenter_id = ${guestId}::uuid
                                 THEN ${accountId}::uuid ELSE presenter_id END,
             -- A random id is nowhere but where it is meant.
             rounds = replace(rounds::text, ${guestId}, ${accountId})::jsonb
       WHERE id IN (SELECT id FROM theirs)`,
    db.wordList.updateMany({ where: { ownerId: guestId }, data: { ownerId: accountId } }),
    ...handOverProgress(db, guestId, accountId),
  ]);
}
