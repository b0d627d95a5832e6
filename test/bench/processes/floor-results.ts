// The least that storing a game's result takes: one prepared statement that inserts it as one text, which is as
// long as what the service stores.
import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import type { FloorMessage } from './floor-room.ts';

export type StoreResult = (game: Pick<FloorMessage, 'players' | 'rounds'>) => Promise<void>;

/** @returns a function that stores the result of a game */
export async function createFloorResults(databaseUrl: string | undefined): Promise<StoreResult> {
  const pool = new pg.Pool({ connectionString: databaseUrl });
  await pool.query('CREATE TABLE IF NOT EXISTS floor_result (id uuid PRIMARY KEY, result json)');
  const insert = { name: 'insert', text: 'INSERT INTO floor_result VALUES ($1, $2)' };
  let example: object | undefined;
  return async ({ players, rounds }) => {
    example ??= resultOf(players, rounds);
    await pool.query({ ...insert, values: [randomUUID(), JSON.stringify(example)] });
  };
}

function resultOf(players: number, rounds: number) {
  const userIds = Array.from({ length: players }, () => randomUUID());
  return {
    scores: userIds.map((userId) => ({ userId, name: 'x'.repeat(17), score: 3, correct: 3 })),
    winnerIds: userIds.slice(0, 1),
    rounds: Array.from({ length: rounds }, (_, index) => roundOf(index + 1, players)),
  };
}

function roundOf(round: number, players: number) {
  const text = (length: number) => randomBytes(length).toString('base64url');
  const options = [0, 1, 2, 3].map((optionId) => ({ optionId, text: text(6) }));
  return {
    round,
    questionId: randomUUID(),
    prompt: text(5),
    gloss: text(20),
    options,
    commitment: text(32),
    nonce: text(32),
    correctOptionId: 1,
    reason: 'all_answered',
    answers: Array.from({ length: players }, (_, seat) => [1, 0, 5 + ((7 * seat) % 40)]),
    judgedAt: '2026-11-21T09:30:00.000Z',
    departedAnswers: [],
  };
}
