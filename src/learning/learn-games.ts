// Learns from the results of stored games. The transaction that writes the reviews also marks the rounds as
// learned. [contract 13]
import { z } from 'zod';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { wordsName } from '../vocabulary/rules.ts';
import { deckShape } from '../vocabulary/schema.ts';
import { LearnableRound, verdictOfGiven } from './learnable-round.ts';
import { LEARNING_TIMEOUT_MS, lockLearners } from './learners.ts';
import { MAX_REVIEWS, type Review, writeReviews } from './reviews.ts';
import { referenceTo } from './word-ids.ts';

/** The number of games that one transaction locks at most; others are left to the next one. */
const MAX_GAMES = 32;

const GameSettings = z.object({
  rounds: z.int().min(1),
  listId: z.guid().optional(),
  ...z.object(deckShape).partial().shape,
});

/** A stored game with rounds that are not learned. */
interface UnlearnedGame {
  id: string;
  settings: unknown;
  learnedRounds: number;
  players: number;
}

/** The rounds of a game that one transaction learns: from `from`, which counts from 0, to before `to`. */
interface Portion {
  id: string;
  words: string;
  from: number;
  to: number;
  isLast: boolean;
}

/** The counts of one transaction. */
interface LearnedGames {
  /** The number of games of which at least one round was learned or passed over. */
  games: number;
  reviews: number;
  /** The number of rounds that could not be read, and were passed over. */
  unreadable: number;
}

const NOTHING: LearnedGames = { games: 0, reviews: 0, unreadable: 0 };

/** @returns the end of the oldest game that is not learned; null without one. A partial index finds it */
export async function findOldestUnlearned(db: Database): Promise<Date | null> {
  const game = await db.game.findFirst({
    where: { learned: false },
    orderBy: { finishedAt: 'asc' },
    select: { finishedAt: true },
  });
  return game?.finishedAt ?? null;
}

/**
 * Learns from the games that ended first, as far as one transaction may. Games that another worker learns
 * from at the moment are passed over.
 * @returns no games when nothing is left to learn
 * @throws when PostgreSQL is away; nothing is marked then
 */
export function learnGames(db: Database): Promise<LearnedGames> {
  return db.$transaction(
    async (tx) => {
      const games = await lockUnlearned(tx);
      if (games.length === 0) return NOTHING;
      const portions = portionsOf(games);
      const read = await readRounds(tx, portions);
      const reviews = read.flatMap(({ reviews }) => reviews);
      const userIds = [...new Set(reviews.map(({ userId }) => userId))];
      await writeReviews(tx, reviews, await lockLearners(tx, userIds));
      await markLearned(tx, portions);
      return {
        games: portions.length,
        reviews: reviews.length,
        unreadable: read.reduce((sum, { unreadable }) => sum + unreadable, 0),
      };
    },
    { timeout: LEARNING_TIMEOUT_MS },
  );
}

/** Locks games before users, as a hand-over does. It waits for no lock. */
function lockUnlearned(tx: Prisma.TransactionClient): Promise<UnlearnedGame[]> {
  return tx.$queryRaw<UnlearnedGame[]>`
    SELECT id, settings, learned_rounds AS "learnedRounds",
           (SELECT count(*)::int FROM game_score WHERE game_id = game.id) AS players
      FROM game WHERE NOT learned
     ORDER BY finished_at LIMIT ${MAX_GAMES}
       FOR NO KEY UPDATE SKIP LOCKED`;
}

/** @returns whole games as long as all their reviews fit, or else at least one round of the first game */
function portionsOf(games: readonly UnlearnedGame[]): Portion[] {
  const portions: Portion[] = [];
  let room = MAX_REVIEWS;
  for (const { id, settings, learnedRounds, players } of games) {
    const parsed = GameSettings.safeParse(settings).data;
    // A game without settings has no words: nothing is learned from it.
    const rounds = parsed?.rounds ?? 0;
    const left = Math.max(0, rounds - learnedRounds);
    const fitting = Math.floor(room / Math.max(1, players));
    if (fitting < left && portions.length > 0) break;
    const taken = Math.min(left, Math.max(1, fitting));
    portions.push({
      id,
      words: parsed ? wordsName(parsed) : '',
      from: learnedRounds,
      to: learnedRounds + taken,
      isLast: taken === left,
    });
    room -= taken * players;
  }
  return portions;
}

/** The ids of a game's players by seat; null without players. */
type Players = Readonly<Record<number, string>> | null;

async function readRounds(
  tx: Prisma.TransactionClient,
  portions: readonly Portion[],
): Promise<{ reviews: Review[]; unreadable: number }[]> {
  const rows = await tx.$queryRaw<{ id: string; players: Players; rounds: string }[]>`
    SELECT id, (SELECT jsonb_object_agg(seat, user_id) FROM game_score WHERE game_id = game.id) AS players,
           CASE WHEN p."from" = 0 AND p."isLast" THEN rounds
                ELSE jsonb_path_query_array(rounds, '$[$first to $last]',
                       jsonb_build_object('first', p."from", 'last', p."to" - 1)) END::text AS rounds
      FROM jsonb_to_recordset(${JSON.stringify(portions)}::jsonb)
             AS p (id uuid, "from" int, "to" int, "isLast" boolean)
      JOIN game USING (id)`;
  const wordsById = new Map(portions.map(({ id, words }) => [id, words]));
  return rows.map(({ id, players, rounds }) => parseRounds(wordsById.get(id) ?? '', players, JSON.parse(rounds)));
}

function parseRounds(words: string, players: Players, rounds: unknown[]) {
  const parsed = rounds.map((round) => LearnableRound.safeParse(round).data);
  const readable = parsed.filter((round) => round !== undefined);
  return {
    reviews: readable.flatMap((round) => reviewsOf(words, players, round)),
    unreadable: parsed.length - readable.length,
  };
}

/** @returns a review of each answer, also of players who have left since; a missing answer gives none */
function reviewsOf(words: string, players: Players, round: LearnableRound): Review[] {
  const word = referenceTo(words, round);
  const judgedAtMs = Date.parse(round.judgedAt);
  const answers = round.answers.map((answer, seat) => [seat, answer?.[0] ?? null] as const);
  return [...answers, ...round.departedAnswers].flatMap(([seat, given]) => {
    const verdict = verdictOfGiven(round, given);
    const userId = players?.[seat];
    return verdict && userId ? [{ userId, words, word, verdict, judgedAtMs }] : [];
  });
}

async function markLearned(tx: Prisma.TransactionClient, portions: readonly Portion[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE game SET learned_rounds = p."to", learned = p."isLast"
      FROM jsonb_to_recordset(${JSON.stringify(portions)}::jsonb)
             AS p (id uuid, "to" int, "isLast" boolean)
     WHERE game.id = p.id`;
}
