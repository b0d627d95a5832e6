// Finishes a game: PostgreSQL stores the result before the end of the game is announced. A result is stored once,
// however often the end of its game is repeated. [contract 5.7]
import { DELETED_NAME } from '../auth/input/user-profile.ts';
import { findById } from '../lobby/store.ts';
import { isUnreachable } from '../platform/outages/outage.ts';
import { inBatches } from '../platform/overload/batches.ts';
import type { Postgres } from '../platform/postgres/postgres.ts';
import { chunksOf } from '../platform/redis/scripts.ts';
import { findStored } from './finished-games.ts';
import { matchMetrics } from './metrics.ts';
import { type Match, resultOf } from './rules.ts';
import type { GameSummary } from './schema.ts';
import { type MatchServices, readRounds, storeFinish } from './store.ts';

/**
 * Stores and announces the result. Both steps may be repeated; only the first call of each has an effect.
 * @param judged the rounds, if the caller has read them, so that a failover of Redis can't lose them any more
 * @throws where PostgreSQL is away: the game stays in Redis, and the next caller finishes it
 */
export async function finishMatch(deps: MatchServices, match: Match, judged?: readonly string[]): Promise<void> {
  const { lobbyId, gameId, code } = match;
  const result = resultOf(match);
  const rounds = judged ?? (await readRounds(deps.redis, lobbyId));
  const { isNew, version } = await saveResult(deps.postgres, { match, result, rounds });
  // A game whose end Redis loses in a failover is played on again. The stored result counts.
  const stored = isNew ? result : ((await findStored(deps.db, gameId)) ?? result);
  let reply = version === null ? 'outdated' : await storeFinish(deps, match, stored, version);
  if (reply === 'outdated') reply = await storeFinish(deps, match, stored, await findById(deps.postgres, lobbyId));
  if (reply !== 'finished') return;
  matchMetrics.gamesFinished.inc();
  deps.logger.info({ gameId, code }, 'game finished');
}

interface SavedResult {
  isNew: boolean;
  /** The version of the lobby that this has marked as finished; null if it has marked none. */
  version: number | null;
}

interface EndedGame {
  match: Pick<Match, 'lobbyId' | 'presenterId' | 'isCompact' | 'players'>;
  result: GameSummary;
  /** Each is a RoundRecord as JSON, which is passed on without being parsed since it may be large. */
  rounds: readonly string[];
}

/** The length of the rounds, in UTF-16 units, at which one statement takes no further game. */
const ROUNDS_AT_ONCE = 1024 * 1024;

/**
 * The games are one JSON text, which PostgreSQL parses once: as `jsonb`, whose parts become columns as they are. The
 * ids of the lobbies and users are apart, so that it plans to look them up, however many it expects. Games are
 * inserted in the order of their ids, so that statements with common games don't deadlock.
 */
const SAVE = {
  name: 'save_results',
  text: `
    WITH ended AS (
      SELECT * FROM jsonb_to_recordset($1::jsonb) AS
             e ("gameId" uuid, "lobbyId" uuid, code char(6), settings jsonb, "winnerIds" uuid[],
                "startedAt" timestamptz, "finishedAt" timestamptz, "presenterId" uuid, "isCompact" boolean,
                scores jsonb, rounds jsonb)),
    before AS (SELECT id, host_id FROM lobby WHERE id = ANY($2::uuid[])),
    saved AS (
      INSERT INTO game (id, code, settings, winner_ids, started_at, finished_at, presenter_id, compact, host_id,
                        rounds)
      SELECT "gameId", code, settings, "winnerIds", "startedAt", "finishedAt", "presenterId", "isCompact",
             before.host_id, rounds
        FROM ended LEFT JOIN before ON before.id = "lobbyId" ORDER BY "gameId"
      ON CONFLICT (id) DO NOTHING RETURNING id),
    gone AS (SELECT user_id FROM user_deletion WHERE user_id = ANY($3::uuid[]) AND NOT keeps_name),
    listed AS (
      INSERT INTO game_score (game_id, user_id, name, score, correct, position, seat)
      SELECT "gameId", s."userId", CASE WHEN gone.user_id IS NULL THEN s.name ELSE '${DELETED_NAME}' END,
             s.score, s.correct, s.place - 1, s.seat
        FROM saved JOIN ended ON "gameId" = saved.id
       CROSS JOIN ROWS FROM (jsonb_to_recordset(scores) AS
                             ("userId" uuid, name text, score int, correct int, seat int))
                  WITH ORDINALITY AS s ("userId", name, score, correct, seat, place)
        LEFT JOIN gone ON gone.user_id = s."userId"),
    changed AS (
      UPDATE lobby SET status = 'finished', version = version + 1, active_at = now() FROM ended
       WHERE lobby.id = ANY($2::uuid[]) AND lobby.id = "lobbyId" AND lobby.game_id = "gameId"
         AND lobby.status = 'running'
      RETURNING lobby.game_id, lobby.version)
    SELECT "gameId", saved.id IS NOT NULL AS "isNew", changed.version
      FROM ended LEFT JOIN saved ON saved.id = "gameId" LEFT JOIN changed ON changed.game_id = "gameId"`,
};

const saveInBatches = inBatches(saveAll, ({ result }: EndedGame) => result.gameId);

/** Stores a result, and marks its lobby as finished. Results of games that end at once share a statement. */
export async function saveResult(postgres: Postgres, ended: EndedGame): Promise<SavedResult> {
  const saved = await saveInBatches(postgres, ended);
  if ('error' in saved) throw saved.error;
  return saved;
}

type Saved = SavedResult | { error: unknown };

async function saveAll(postgres: Postgres, games: EndedGame[]): Promise<Saved[]> {
  const lengthOf = ({ rounds }: EndedGame) => rounds.reduce((length, round) => length + round.length, 0);
  const saved: Saved[] = [];
  for (const chunk of chunksOf(games, ROUNDS_AT_ONCE, lengthOf)) saved.push(...(await saveChunk(postgres, chunk)));
  return saved;
}

/** Where PostgreSQL refuses or cancels a statement, each result is stored by itself, so that one fails no other. */
async function saveChunk(postgres: Postgres, games: EndedGame[]): Promise<Saved[]> {
  try {
    return await insertResults(postgres, games);
  } catch (error) {
    if (isUnreachable(error)) throw error;
    if (games.length === 1) return [{ error }];
    return (await Promise.all(games.map((game) => saveChunk(postgres, [game])))).flat();
  }
}

async function insertResults(postgres: Postgres, games: EndedGame[]): Promise<SavedResult[]> {
  const lobbyIds = games.map(({ match }) => match.lobbyId);
  const userIds = games.flatMap(({ result }) => result.scores.map(({ userId }) => userId));
  const values = [`[${games.map(rowOf).join(',')}]`, lobbyIds, userIds];
  const { rows } = await postgres.query<SavedResult & { gameId: string }>({ ...SAVE, values });
  const byGame = new Map(rows.map(({ gameId, ...saved }) => [gameId, saved]));
  return games.map(({ result }) => byGame.get(result.gameId) as SavedResult);
}

function rowOf({ match, result, rounds }: EndedGame): string {
  const { lobbyId, presenterId, isCompact, players } = match;
  const seats = new Map(players.map(({ userId }, number) => [userId, number]));
  const scores = result.scores.map((score) => ({ ...score, seat: seats.get(score.userId) }));
  const columns = JSON.stringify({ ...result, lobbyId, presenterId, isCompact, scores });
  return `${columns.slice(0, -1)},"rounds":[${rounds.join(',')}]}`;
}
