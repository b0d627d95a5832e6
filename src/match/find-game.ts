// Finds a stored game for one of its players. The rounds are read in portions, since those of a room of a thousand
// are megabytes. [contract 4, 11, 13, 19]
import type { Database } from '../platform/postgres/postgres.ts';
import { shownSummary, summaryFor } from './game-summary.ts';
import { RoundRecord, roundOfRecord, userIdsBySeat } from './round-record.ts';
import type { GameSummary, StoredRound } from './schema.ts';

/** How many answers are read at once; a larger round is read alone. */
const ANSWERS_AT_ONCE = 2000;

/** A stored game as one user gets it. */
export interface FoundGame {
  summary: GameSummary;
  /** The rounds, some at a time. @throws what PostgreSQL throws */
  rounds: AsyncIterable<StoredRound[]>;
}

/** @returns a game that the user played or presented, or of which the user was host at the end; otherwise null */
export async function findGame(db: Database, gameId: string, userId: string): Promise<FoundGame | null> {
  const isOfUser = [{ scores: { some: { userId } } }, { presenterId: userId }, { hostId: userId }];
  const game = await db.game.findFirst({ where: { id: gameId, OR: isOfUser }, select: summaryFor(userId) });
  if (!game) return null;
  const textsOf = game.hostId === userId ? null : userId;
  const summary = shownSummary(game, userId);
  if (game.compact && game.hostId !== userId) {
    const seat = game.scores.find((score) => score.userId === userId)?.seat ?? null;
    const own = { onlySeat: { seat }, userIds: [userId], textsOf, atOnce: ANSWERS_AT_ONCE };
    return { summary, rounds: readRounds(db, gameId, own) };
  }
  const userIds = userIdsBySeat(game.scores);
  const atOnce = Math.max(1, Math.floor(ANSWERS_AT_ONCE / Math.max(1, userIds.length)));
  return { summary, rounds: readRounds(db, gameId, { userIds, textsOf, atOnce }) };
}

interface ShownRounds {
  /** Where only one player's answers are shown, the seat of this player; null for who did not play. */
  onlySeat?: { seat: number | null };
  /** The players whose answers are shown, by seat. */
  userIds: readonly string[];
  /** Whose typed answers are shown; those of others are shown to who was host at the end. [contract 20] */
  textsOf: string | null;
  /** The number of rounds that are read at once. */
  atOnce: number;
}

function withTextsOf(userId: string, { answers, ...round }: StoredRound): StoredRound {
  const shown = answers.map(({ text, ...answer }) =>
    text !== undefined && answer.userId === userId ? { ...answer, text } : answer,
  );
  return { ...round, answers: shown };
}

async function* readRounds(
  db: Database,
  gameId: string,
  { onlySeat, userIds, atOnce, textsOf }: ShownRounds,
): AsyncGenerator<StoredRound[]> {
  const read = (record: unknown) => {
    const round = roundOfRecord(RoundRecord.parse(record), userIds);
    return textsOf ? withTextsOf(textsOf, round) : round;
  };
  for (let after = 0; ; after += atOnce) {
    const rows = await db.$queryRaw<{ round: unknown }[]>`
      SELECT CASE WHEN ${onlySeat === undefined} THEN round
                  ELSE round || jsonb_build_object('answers', jsonb_build_array(
                         round -> 'answers' -> ${onlySeat?.seat ?? null}::int)) END AS round
        FROM game, jsonb_array_elements(rounds) WITH ORDINALITY AS stored (round, place)
       WHERE id = ${gameId}::uuid AND place > ${after} AND place <= ${after + atOnce}
       ORDER BY place`;
    if (rows.length > 0) yield rows.map(({ round }) => read(round));
    if (rows.length < atOnce) return;
  }
}
