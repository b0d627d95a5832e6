// Finds a stored game for one of its players. The rounds are read in portions, since those of a room of a thousand
// are megabytes. [contract 4, 11, 13, 19]
import type { Database } from '../platform/postgres/postgres.ts';
import { shownSummary, summaryFor } from './game-summary.ts';
import { type GameSummary, StoredRound } from './schema.ts';

/** How many answers are read at once; a larger round is read alone. */
const ANSWERS_AT_ONCE = 2000;

/** A stored game as one user gets it. */
export interface FoundGame {
  summary: GameSummary;
  /** The rounds, some at a time. @throws what PostgreSQL throws */
  rounds: AsyncIterable<StoredRound[]>;
}

/** @returns a game that the user played or presented, or of which the user was host at the end; otherwise null */
export async function findGame(
  db: Database,
  gameId: string,
  userId: string,
): Promise<FoundGame | null> {
  const isOfUser = [{ scores: { some: { userId } } }, { presenterId: userId }, { hostId: userId }];
  const game = await db.game.findFirst({
    where: { id: gameId, OR: isOfUser },
    select: { ...summaryFor(userId), _count: { select: { scores: true } } },
  });
  if (!game) return null;
  const isPartial = game.compact && game.hostId !== userId;
  const answersOf = isPartial ? userId : null;
  const answersPerRound = isPartial ? 1 : Math.max(1, game._count.scores);
  const atOnce = Math.max(1, Math.floor(ANSWERS_AT_ONCE / answersPerRound));
  return {
    summary: shownSummary(game, userId),
    rounds: readRounds(db, gameId, {
      ...{ answersOf, atOnce },
      textsOf: game.hostId === userId ? null : userId,
    }),
  };
}

/** Which part of the rounds is shown. A null user is all users. */
interface ShownRounds {
  answersOf: string | null;
  /** Whose typed answers are shown; those of others are shown to who was host at the end. [contract 20] */
  textsOf: string | null;
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
  { answersOf, atOnce, textsOf }: ShownRounds,
): AsyncGenerator<StoredRound[]> {
  const shown = (round: StoredRound) => (textsOf ? withTextsOf(textsOf, round) : round);
  for (let after = 0; ; after += atOnce) {
    const rows = await db.$queryRaw<{ round: unknown }[]>`
      SELECT CASE WHEN ${answersOf}::text IS NULL THEN round
                  ELSE round || jsonb_build_object('answers', jsonb_path_query_array(
                         round, '$.answers[*] ? (@.userId == $userId)',
                         jsonb_build_object('userId', ${answersOf}::text))) END AS round
        FROM game, jsonb_array_elements(rounds) WITH ORDINALITY AS stored (round, place)
       WHERE id = ${gameId}::uuid AND place > ${after} AND place <= ${after + atOnce}
       ORDER BY place`;
    // The schema leaves out what the learning alone reads.
    if (rows.length > 0) yield rows.map(({ round }) => shown(StoredRound.parse(round)));
    if (rows.length < atOnce) return;
  }
}
