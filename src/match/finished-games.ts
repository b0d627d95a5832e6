// Finished games in PostgreSQL as their users get them: a summary without the rounds, which are most of a result; lists
// of summaries, the newest first; and one whole game, whose rounds are read in portions, since those of a room of a
// thousand are megabytes. Of a compact game, its host at the end gets all, and a player the ten best and the own part.
// [contract 4, 11, 13, 19]
import { Prisma } from '../generated/prisma/client.ts';
import type { LobbySettings } from '../lobby/schema.ts';
import { type TimeCursor, timeCursor } from '../platform/page-cursor.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { RoundRecord, roundOfRecord, userIdsByNumber } from './round-record.ts';
import { type GameSummary, TOP_PLACES } from './schema.ts';

/** The fields that are read from PostgreSQL for a whole summary. */
const SUMMARY = {
  id: true,
  code: true,
  settings: true,
  startedAt: true,
  finishedAt: true,
  winnerIds: true,
  compact: true,
  hostId: true,
  scores: {
    orderBy: { position: 'asc' },
    select: { userId: true, name: true, score: true, correct: true, seat: true },
  },
} satisfies Prisma.GameSelect;

function summaryFor(userId: string) {
  const isShown = [
    { position: { lt: TOP_PLACES } },
    { userId },
    { game: { OR: [{ compact: false }, { hostId: userId }] } },
  ];
  return { ...SUMMARY, scores: { ...SUMMARY.scores, where: { OR: isShown } } } satisfies Prisma.GameSelect;
}

type SummaryRow = Prisma.GameGetPayload<{ select: typeof SUMMARY }>;

function summaryOf(game: SummaryRow): GameSummary {
  return {
    gameId: game.id,
    code: game.code,
    settings: game.settings as LobbySettings,
    startedAt: game.startedAt.toISOString(),
    finishedAt: game.finishedAt.toISOString(),
    scores: game.scores.map(({ userId, name, score, correct }) => ({ userId, name, score, correct })),
    winnerIds: game.winnerIds,
  };
}

/** @returns the stored result of a game without its rounds; null when there is none */
export async function findStored(db: Database, gameId: string): Promise<GameSummary | null> {
  const game = await db.game.findUnique({ where: { id: gameId }, select: SUMMARY });
  return game && summaryOf(game);
}

function shownSummary(game: SummaryRow, userId: string): GameSummary {
  const summary = summaryOf(game);
  if (!game.compact) return summary;
  const { winnerIds } = game;
  const listed = game.hostId === userId ? winnerIds : winnerIds.slice(0, TOP_PLACES);
  return { ...summary, winnerIds: listed, winnerCount: winnerIds.length };
}

interface GamesPage {
  limit: number;
  before?: TimeCursor | undefined;
}

/** @returns the games that the user played, left or presented, or of which the user was host at the end */
export async function findGameIds(db: Database, userId: string, { limit, before }: GamesPage) {
  const [finishedAt, id] = before ?? [];
  const older = finishedAt
    ? Prisma.sql`WHERE (finished_at, id) < (${finishedAt}::timestamptz, ${id}::uuid)`
    : Prisma.empty;
  // Each part of the union reads an index of the user's games, which are a small part of the table.
  return db.$queryRaw<{ id: string; finishedAt: Date }[]>`
    SELECT id, finished_at AS "finishedAt" FROM game
      JOIN (SELECT game_id AS id FROM game_score WHERE user_id = ${userId}::uuid
            UNION SELECT id FROM game WHERE presenter_id = ${userId}::uuid
            UNION SELECT id FROM game WHERE host_id = ${userId}::uuid) AS mine USING (id)
     ${older}
     ORDER BY finished_at DESC, id DESC LIMIT ${limit}`;
}

export async function listGames(db: Database, userId: string, { limit, before }: GamesPage) {
  const rows = await findGameIds(db, userId, { limit: limit + 1, before });
  const { items, next } = timeCursor.toPage(rows, limit, ({ finishedAt, id }) => [finishedAt.toISOString(), id]);
  const ids = items.map(({ id }) => id);
  const found = await db.game.findMany({ where: { id: { in: ids } }, select: summaryFor(userId) });
  const byId = new Map(found.map((game) => [game.id, game]));
  const games = ids.flatMap((gameId) => byId.get(gameId) ?? []);
  return { games: games.map((game) => shownSummary(game, userId)), next };
}

/** How many answers are read at once; a larger round is read alone. */
const ANSWERS_AT_ONCE = 2000;

export type FoundGame = NonNullable<Awaited<ReturnType<typeof findGame>>>;

/**
 * @returns a game that the user played or presented, or of which the user was host at the end, with its rounds some at
 *   a time, as this user gets it; otherwise null
 */
export async function findGame(db: Database, gameId: string, userId: string) {
  const isOfUser = [{ scores: { some: { userId } } }, { presenterId: userId }, { hostId: userId }];
  const game = await db.game.findFirst({ where: { id: gameId, OR: isOfUser }, select: summaryFor(userId) });
  if (!game) return null;
  const textsOf = game.hostId === userId ? null : userId;
  const summary = shownSummary(game, userId);
  if (game.compact && game.hostId !== userId) {
    const number = game.scores.find((score) => score.userId === userId)?.seat ?? null;
    const own = { onlyPlayer: { number }, userIds: [userId], textsOf, atOnce: ANSWERS_AT_ONCE };
    return { summary, rounds: readRounds(db, gameId, own) };
  }
  const userIds = userIdsByNumber(game.scores);
  const atOnce = Math.max(1, Math.floor(ANSWERS_AT_ONCE / Math.max(1, userIds.length)));
  return { summary, rounds: readRounds(db, gameId, { userIds, textsOf, atOnce }) };
}

/**
 * @returns the settings and the words of a game that the user presented, or of which the user was host at the end, those
 *   with the smallest share of right answers first, and equal ones by chance; otherwise null
 */
export async function findHostedGame(db: Database, gameId: string, userId: string) {
  const game = await db.game.findFirst({
    where: { id: gameId, OR: [{ presenterId: userId }, { hostId: userId }] },
    select: { settings: true },
  });
  if (!game) return null;
  const words = await db.$queryRaw<{ prompt: string; gloss: string | null }[]>`
    SELECT round ->> 'prompt' AS prompt, round ->> 'gloss' AS gloss
      FROM game
     CROSS JOIN LATERAL jsonb_array_elements(rounds) AS stored (round)
     CROSS JOIN LATERAL (
       SELECT avg(coalesce(answer -> 0 = round -> 'correctOptionId' OR answer ->> 0 IN ('right', 'close'), false)::int)
                AS right_share
         FROM jsonb_array_elements(round -> 'answers') AS answer WHERE answer <> 'null') AS answered
     WHERE id = ${gameId}::uuid
     ORDER BY right_share, random()`;
  return {
    settings: game.settings as LobbySettings,
    words: words.map(({ prompt, gloss }) => (gloss === null ? { prompt } : { prompt, gloss })),
  };
}

interface ShownRounds {
  /** Where only one player's answers are shown, the number of this player; null for who did not play. */
  onlyPlayer?: { number: number | null };
  /** The players whose answers are shown, by their numbers. */
  userIds: readonly string[];
  /** Whose typed answers are shown; those of others are shown to who was host at the end. [contract 20] */
  textsOf: string | null;
  atOnce: number;
}

async function* readRounds(db: Database, gameId: string, { onlyPlayer, userIds, atOnce, textsOf }: ShownRounds) {
  for (let after = 0; ; after += atOnce) {
    const rows = await db.$queryRaw<{ round: unknown }[]>`
      SELECT CASE WHEN ${onlyPlayer === undefined} THEN round
                  ELSE round || jsonb_build_object('answers', jsonb_build_array(
                         round -> 'answers' -> ${onlyPlayer?.number ?? null}::int)) END AS round
        FROM game, jsonb_array_elements(rounds) WITH ORDINALITY AS stored (round, place)
       WHERE id = ${gameId}::uuid AND place > ${after} AND place <= ${after + atOnce}
       ORDER BY place`;
    if (rows.length > 0) yield rows.map(({ round }) => roundOfRecord(RoundRecord.parse(round), userIds, textsOf));
    if (rows.length < atOnce) return;
  }
}
