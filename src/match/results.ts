// Results in PostgreSQL: written once, however often the end of a game is carried out.
import { DELETED_NAME } from '../auth/deleted-users.ts';
import { findById, type StoredLobby } from '../lobby/store.ts';
import { AFTER, IS_WHOLE, lobbyRows, type Row, toStored } from '../lobby/stored-lobby.ts';
import type { Database } from '../platform/postgres.ts';
import { SUMMARY, summaryOf } from './game-summary.ts';
import type { GameResult, GameSummary, StoredRound } from './schema.ts';

/** What the end of a game has come to. */
export interface SavedResult {
  /** Whether it was stored by this call. */
  isNew: boolean;
  /** As it is now; null when it is gone. */
  lobby: StoredLobby | null;
}

type EndedRow = Omit<Row, 'id'> & { id: string | null; isNew: boolean; isWhole: boolean };

/**
 * Stores a result, marks its lobby finished, and reads that, in one statement.
 * @param rounds each as JSON: as large as they are together, nobody here needs to read them
 */
export async function saveResult(
  db: Database,
  { lobbyId, presenterId }: { lobbyId: string; presenterId: string | null },
  result: GameSummary,
  rounds: readonly string[],
): Promise<SavedResult> {
  const { gameId, code, winnerIds, startedAt, finishedAt } = result;
  const settings = JSON.stringify(result.settings);
  const scores = JSON.stringify(result.scores.map((score, position) => ({ ...score, position })));
  const [row] = (await db.$queryRaw<EndedRow[]>`
    WITH saved AS (
      INSERT INTO game (id, code, settings, winner_ids, started_at, finished_at, presenter_id, rounds)
      VALUES (${gameId}::uuid, ${code}, ${settings}::jsonb, ${winnerIds}::uuid[],
              ${startedAt}::timestamptz, ${finishedAt}::timestamptz, ${presenterId}::uuid,
              ${`[${rounds.join(',')}]`}::jsonb)
      ON CONFLICT (id) DO NOTHING RETURNING id),
    listed AS (
      INSERT INTO game_score (game_id, user_id, name, score, correct, position)
      SELECT saved.id, s."userId",
             CASE WHEN gone.user_id IS NULL THEN s.name ELSE ${DELETED_NAME} END,
             s.score, s.correct, s.position
        FROM saved
       CROSS JOIN jsonb_to_recordset(${scores}::jsonb)
               AS s("userId" uuid, name text, score int, correct int, position int)
        LEFT JOIN LATERAL (SELECT user_id FROM user_deletion
                            WHERE user_id = s."userId" AND NOT keeps_name LIMIT 1)
                          gone ON true),
    before AS (SELECT * FROM lobby WHERE id = ${lobbyId}::uuid),
    changed AS (
      UPDATE lobby SET status = 'finished', version = version + 1, active_at = now()
       WHERE id = ${lobbyId}::uuid AND game_id = ${gameId}::uuid AND status = 'running'
      RETURNING *)
    ${lobbyRows()}, EXISTS (SELECT 1 FROM saved) AS "isNew", ${IS_WHOLE} AS "isWhole"
      FROM (VALUES (1)) always LEFT JOIN ${AFTER} lobby ON true`) as [EndedRow];
  const { isNew, isWhole } = row;
  const stored = row.id === null ? null : toStored(row as Row);
  return { isNew, lobby: isWhole ? stored : await findById(db, lobbyId) };
}

/** @returns what is stored of a game, but for its rounds */
export async function findStored(db: Database, gameId: string): Promise<GameSummary | null> {
  const game = await db.game.findUnique({ where: { id: gameId }, select: SUMMARY });
  return game && summaryOf(game);
}

/** @returns the result if this user played in that game, or presented it. [contract 4, 11, 13] */
export async function findResult(
  db: Database,
  gameId: string,
  userId: string,
): Promise<GameResult | null> {
  const game = await db.game.findFirst({
    where: { id: gameId, OR: [{ scores: { some: { userId } } }, { presenterId: userId }] },
    select: { ...SUMMARY, rounds: true },
  });
  return game && { ...summaryOf(game), rounds: game.rounds as StoredRound[] };
}
