// Reads a user’s export, checks that it is as described, and makes users with much to export, or with finished games.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { AccountExport } from '../../src/accounts/schema.ts';
import type { Prisma } from '../../src/generated/prisma/client.ts';
import { LOBBY_EXAMPLE } from '../../src/lobby/schema.ts';
import type { RoundRecord } from '../../src/match/round-record.ts';
import type { Database } from '../../src/platform/postgres/postgres.ts';
import { QUESTION_EXAMPLE, QUESTION_EXAMPLE_NONCE } from '../../src/vocabulary/schema.ts';
import type { HttpClient } from './http-client.ts';
import { withPostgres } from './sql.ts';

export const EXPORT = '/api/v1/account/export';

export async function exportOf(client: HttpClient): Promise<AccountExport> {
  const { status, body } = await client.get(EXPORT);
  expect(status).toBe(200);
  const described = AccountExport.parse(body);
  expect(described).toEqual(body);
  return described;
}

/** Stores finished games of 20 rounds and 20 players, one of whom is the user, each of which has 50 kB in an export. */
export async function storeLargeGames(databaseUrl: string, userId: string, games: number): Promise<void> {
  const values = [userId, games, LOBBY_EXAMPLE.settings, roundOf()];
  await withPostgres(databaseUrl, (client) => client.query(STORE_GAMES, values));
}

const STORE_GAMES = `
  WITH stored AS (
    INSERT INTO game (id, code, settings, winner_ids, started_at, finished_at, learned, rounds)
    SELECT gen_random_uuid(), '7KQ2ZD', $3::jsonb, '{}', now(), now(), true, rounds
      FROM generate_series(1, $2),
           (SELECT jsonb_agg($4::jsonb || jsonb_build_object('round', round, 'answers', answers)) AS rounds
              FROM generate_series(1, 20) AS r (round),
                   (SELECT jsonb_agg('[0, 1, 5]'::jsonb) AS answers FROM generate_series(1, 20)) answered) played
    RETURNING id)
  INSERT INTO game_score (game_id, user_id, name, score, correct, position, seat)
  SELECT id, CASE place WHEN 0 THEN $1::uuid ELSE gen_random_uuid() END, 'Player', 20, 20, place, place
    FROM stored, generate_series(0, 19) AS place`;

/** Stores memories of words that have left their deck. */
export async function storeLearnedWords(db: Database, userId: string, words: number): Promise<void> {
  await db.$executeRaw`
    WITH stored AS (
      INSERT INTO deck (source_language, target_language, pos, difficulty)
      VALUES ('fr', 'es', 'verb', 'C2')
      ON CONFLICT (source_language, target_language, pos, difficulty) DO UPDATE SET pos = 'verb'
      RETURNING id)
    INSERT INTO learned_word (user_id, word, deck_id, source_key, due, stability, difficulty, state,
                              step, scheduled_days, reps, lapses, reviewed_at)
    SELECT ${userId}::uuid, gen_random_uuid(), id, 'mot ' || n, now(), 1.5, 5, 2, 0, 1, 1, 0, now()
      FROM stored, generate_series(1, ${words}::int) n`;
}

// Finished games in PostgreSQL, for tests in which nobody has to play them.

/** A judged round as a finished game has it, by default one without any player. */
export function roundOf(round: Partial<RoundRecord> = {}): RoundRecord {
  const judged = { correctOptionId: 0, nonce: QUESTION_EXAMPLE_NONCE, judgedAt: '2026-11-21T09:30:00.000Z' };
  return { ...QUESTION_EXAMPLE, round: 1, reason: 'timeout', answers: [], departedAnswers: [], ...judged, ...round };
}

type Columns = Partial<Omit<Prisma.GameUncheckedCreateInput, 'scores'>>;

/**
 * @param standings the players, the best first. They have entered in the reverse order, so that a reader that confuses
 *   the standings with the seats is noticed
 * @param at when the game began and ended
 * @returns the game's id
 */
export async function storeGame(
  db: Database,
  standings: readonly { id: string; name?: string }[],
  { at = new Date(), ...columns }: Columns & { at?: Date } = {},
): Promise<string> {
  const data = standings.map(({ id: userId, name = `Player ${userId}` }, position) => {
    const score = standings.length - 1 - position;
    return { userId, name, position, score, correct: score, seat: score };
  });
  const { id } = await db.game.create({
    data: {
      id: randomUUID(),
      code: '7KQ2ZD',
      settings: LOBBY_EXAMPLE.settings,
      startedAt: at,
      finishedAt: at,
      winnerIds: standings.slice(0, 1).map((player) => player.id),
      ...columns,
      scores: { createMany: { data } },
    },
  });
  return id;
}
