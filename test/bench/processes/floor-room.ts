// The common part of both floors of games: an answer is one small script, and the process that stores the
// last answer of a round publishes its result and the next question. No answer is judged or stored for later
// (the bench of ends has results stored); the messages are only as long as the service's.
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { StoreResult } from './floor-results.ts';

/** The length of the service's `game:question`, and of its result without the part for each player. */
const QUESTION_BYTES = 520;
const RESULT_BYTES = 300;
const RESULT_PLAYER_BYTES = 220;
/** The length of the service's result in a room that is compact, because it has more players than this. */
const COMPACT_BYTES = 1500;
const COMPACT_ABOVE = 200;

const ANSWER = `
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
local n = redis.call('HINCRBY', KEYS[1], 'n', 1)
if n == tonumber(ARGV[3]) then redis.call('HSET', KEYS[1], 'n', 0) end
return n`;

/** A message of a player to a floor. */
export interface FloorMessage {
  type: 'join' | 'start' | 'answer';
  room: string;
  user: string;
  players: number;
  rounds: number;
  round: number;
}

/**
 * @param publish sends an event to everybody in a room, on all processes
 * @param storeResult is awaited before the end of a game is published
 */
export async function createFloorRoom(
  redis: Redis,
  publish: (room: string, event: object) => void,
  storeResult?: StoreResult,
) {
  const sha = (await redis.script('LOAD', ANSWER)) as string;
  const question = (room: string, round: number) =>
    publish(room, { type: 'game:question', round, questionId: randomUUID(), padding: 'x'.repeat(QUESTION_BYTES) });
  return {
    start: ({ room }: FloorMessage): void => question(room, 1),
    async answer({ room, user, players, rounds, round }: FloorMessage): Promise<void> {
      const answers = await redis.evalsha(sha, 1, `floor:{${room}}`, user, 1, players);
      if (answers !== players) return;
      const padding = 'x'.repeat(
        players > COMPACT_ABOVE ? COMPACT_BYTES : RESULT_BYTES + RESULT_PLAYER_BYTES * players,
      );
      publish(room, { type: 'game:answer_result', round, padding });
      if (round < rounds) return question(room, round + 1);
      await storeResult?.({ players, rounds });
      publish(room, { type: 'game:finished', padding: 'x'.repeat(RESULT_BYTES) });
    },
  };
}
