// Results of games in PostgreSQL. A result is stored once, however often the end of its game is repeated.
import { DELETED_NAME } from '../auth/deleted-users.ts';
import { findById, type StoredLobby } from '../lobby/store.ts';
import {
  IS_CONSISTENT,
  LOBBY_AFTER,
  type LobbyRow,
  selectLobby,
  toStored,
} from '../lobby/stored-lobby.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { SUMMARY, summaryOf } from './game-summary.ts';
import type { Match } from './rules.ts';
import type { GameSummary } from './schema.ts';

export interface SavedResult {
  /** Whether this call has stored the result. */
  isNew: boolean;
  /** The lobby after the game; null when it was deleted. */
  lobby: StoredLobby | null;
}

type EndedRow = Omit<LobbyRow, 'id'> & { id: string | null; isNew: boolean; isConsistent: boolean };

/**
 * Stores a result, marks its lobby as finished, and reads the lobby, in one statement.
 * @param rounds each a StoredRound as JSON, which is passed on without being parsed since it may be large
 */
export async function saveResult(
  db: Database,
  { lobbyId, presenterId, isCompact }: Pick<Match, 'lobbyId' | 'presenterId' | 'isCompact'>,
  result: GameSummary,
  rounds: readonly string[],
): Promise<SavedResult> {
  const { gameId, code, winnerIds, startedAt, finishedAt } = result;
  const settings = JSON.stringify(result.settings);
  const scores = JSON.stringify(result.scores.map((score, position) => ({ ...score, position })));
  const [row] = (await db.$queryRaw<EndedRow[]>`
    WITH before AS (SELECT * FROM lobby WHERE id = ${lobbyId}::uuid),
    saved AS (
      INSERT INTO game (id, code, settings, winner_ids, started_at, finished_at, presenter_id,
                        compact, host_id, rounds)
      VALUES (${gameId}::uuid, ${code}, ${settings}::jsonb, ${winnerIds}::uuid[],
              ${startedAt}::timestamptz, ${finishedAt}::timestamptz, ${presenterId}::uuid,
              ${isCompact}, (SELECT host_id FROM before), to_jsonb(${rounds}::text[]::jsonb[]))
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
    changed AS (
      UPDATE lobby SET status = 'finished', version = version + 1, active_at = now()
       WHERE id = ${lobbyId}::uuid AND game_id = ${gameId}::uuid AND status = 'running'
      RETURNING *)
    ${selectLobby()}, EXISTS (SELECT 1 FROM saved) AS "isNew", ${IS_CONSISTENT} AS "isConsistent"
      FROM (VALUES (1)) always LEFT JOIN ${LOBBY_AFTER} lobby ON true`) as [EndedRow];
  const { isNew, isConsistent } = row;
  const stored = row.id === null ? null : toStored(row as LobbyRow);
  return { isNew, lobby: isConsistent ? stored : await findById(db, lobbyId) };
}

/** @returns the stored result of a game without its rounds; null when there is none */
export async function findStored(db: Database, gameId: string): Promise<GameSummary | null> {
  const game = await db.game.findUnique({ where: { id: gameId }, select: SUMMARY });
  return game && summaryOf(game);
}
