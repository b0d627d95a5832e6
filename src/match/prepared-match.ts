// A prepared game has everything that its start needs. The clock's job contains it until the game is open, so
// that a worker can finish the start of a replica that has died. [contract 5.3]
import { z } from 'zod';
import { ADDED_SETTINGS, LobbySettings } from '../lobby/schema.ts';
import { Question } from '../vocabulary/schema.ts';
import { readMsOf } from './rules.ts';

export const PreparedMatch = z.object({
  lobbyId: z.uuid(),
  code: z.string(),
  gameId: z.uuid(),
  settings: z.preprocess((settings) => ({ ...ADDED_SETTINGS, ...Object(settings) }), LobbySettings),
  /** The host, when the host presents instead of playing. */
  presenterId: z.uuid().optional(),
  /** Whether the lobby is compact; its settings and its capacity decide that. */
  isCompact: z.boolean(),
  durationMs: z.int(),
  questions: z.array(
    z.intersection(
      z.object({ question: Question, nonce: z.string() }),
      z.union([
        z.object({ correctOptionId: z.int().min(0).max(3) }),
        z.object({ accepted: z.array(z.string()).min(1).readonly() }),
      ]),
    ),
  ),
  /** The connected members who play. */
  playerIds: z.array(z.uuid()),
  /** The trace of the start. The traces of the clock link to it. */
  traceparent: z.string().optional(),
});
export type PreparedMatch = z.output<typeof PreparedMatch>;

/** @returns the longest time that the game can take, in ms: each phase ends at its deadline */
export function longestMs({ questions, durationMs, settings }: PreparedMatch): number {
  const roundMs = settings.readMs + durationMs + settings.intermissionMs;
  return readMsOf(settings, 1) + questions.length * roundMs;
}
