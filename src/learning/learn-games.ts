// The stored games as a source of the learner: each has its rounds, some of which one transaction learns. [contract 13]
import { z } from 'zod';
import type { Game, Prisma } from '../generated/prisma/client.ts';
import type { Services } from '../services.ts';
import { wordsName } from '../vocabulary/rules.ts';
import { storedWordsFields } from '../vocabulary/words.ts';
import * as learner from './learner.ts';
import { LearnableRound, verdictOfGiven } from './stored-answers.ts';
import { referenceTo } from './word-ids.ts';

/** The number of games that one transaction locks at most; others are left to the next one. */
const MAX_GAMES = 32;

const GameSettings = z.object({ rounds: z.int().min(1), ...storedWordsFields });

/** The rounds of a game that one transaction learns: from `from`, which counts from 0, to before `to`. */
type Portion = ReturnType<typeof portionsOf>[number];

/** @returns the games that are not learned; a partial index finds the oldest */
export async function findPendingGames({ db }: Pick<Services, 'db'>): Promise<learner.PendingReviews> {
  const oldest = await db.game.findFirst({
    where: { learned: false },
    orderBy: { finishedAt: 'asc' },
    select: { finishedAt: true },
  });
  return learner.pendingSince(oldest?.finishedAt, takeGames);
}

/**
 * Takes the games that ended first, but not those from which another worker learns at the moment. It locks games before
 * users, as a hand-over does.
 */
export async function takeGames(tx: Prisma.TransactionClient): Promise<learner.Batch | null> {
  const games = await tx.$queryRaw<PendingGame[]>`
    SELECT id, settings, learned_rounds AS "learnedRounds",
           (SELECT count(*)::int FROM game_score WHERE game_id = game.id) AS players
      FROM game WHERE NOT learned
     ORDER BY finished_at LIMIT ${MAX_GAMES}
       FOR NO KEY UPDATE SKIP LOCKED`;
  const portions = portionsOf(games);
  if (portions.length === 0) return null;
  const reviews = await readRounds(tx, portions);
  return {
    taken: portions.length,
    userIds: reviews.flatMap((review) => review?.userId ?? []),
    read: async () => reviews,
    mark: () => markLearned(tx, portions),
  };
}

type PendingGame = Pick<Game, 'id' | 'settings' | 'learnedRounds'> & { players: number };

/** @returns whole games as long as all their reviews fit, or else at least one round of the first game */
function portionsOf(games: readonly PendingGame[]) {
  const portions = [];
  let room = learner.MAX_REVIEWS;
  for (const { id, settings, learnedRounds, players } of games) {
    const parsed = GameSettings.safeParse(settings).data;
    // A game without settings has no words: nothing is learned from it.
    const rounds = parsed?.rounds ?? 0;
    const left = Math.max(0, rounds - learnedRounds);
    const fitting = Math.floor(room / Math.max(1, players));
    if (fitting < left && portions.length > 0) break;
    const taken = Math.min(left, Math.max(1, fitting));
    const words = parsed ? wordsName(parsed) : '';
    portions.push({ id, words, from: learnedRounds, to: learnedRounds + taken, isLast: taken === left });
    room -= taken * players;
  }
  return portions;
}

/** The ids of a game's players by their numbers; null without players. */
type Players = Readonly<Record<number, string>> | null;

/** @returns null for a round that can't be read */
async function readRounds(tx: Prisma.TransactionClient, portions: readonly Portion[]) {
  const rows = await tx.$queryRaw<{ id: string; players: Players; rounds: string }[]>`
    SELECT id, (SELECT jsonb_object_agg(seat, user_id) FROM game_score WHERE game_id = game.id) AS players,
           CASE WHEN p."from" = 0 AND p."isLast" THEN rounds
                ELSE jsonb_path_query_array(rounds, '$[$first to $last]',
                       jsonb_build_object('first', p."from", 'last', p."to" - 1)) END::text AS rounds
      FROM jsonb_to_recordset(${JSON.stringify(portions)}::jsonb)
             AS p (id uuid, "from" int, "to" int, "isLast" boolean)
      JOIN game USING (id)`;
  const wordsById = new Map(portions.map(({ id, words }) => [id, words]));
  return rows.flatMap(({ id, players, rounds }) =>
    (JSON.parse(rounds) as unknown[]).flatMap((stored) => {
      const round = LearnableRound.safeParse(stored).data;
      return round ? reviewsOf(wordsById.get(id) ?? '', players, round) : [null];
    }),
  );
}

/** @returns a review of each answer, also of players who have left since; a missing answer gives none */
function reviewsOf(words: string, players: Players, round: LearnableRound): learner.Review[] {
  const word = referenceTo(words, round);
  const judgedAtMs = Date.parse(round.judgedAt);
  const answers = round.answers.map((answer, number) => [number, answer?.[0] ?? null] as const);
  return [...answers, ...round.departedAnswers].flatMap(([number, given]) => {
    const verdict = verdictOfGiven(round, given);
    const userId = players?.[number];
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
