// A game that is about to start, whole: whoever holds the plan can start it, so that a replica that
// dies in the middle of a start loses nothing. The clock's job carries it until then. [contract 5.3]
import { z } from 'zod';
import { LobbySettings, settingsOf } from '../lobby/schema.ts';
import { Question } from '../vocabulary/schema.ts';

export const MatchPlan = z.object({
  lobbyId: z.uuid(),
  code: z.string(),
  gameId: z.uuid(),
  settings: z.preprocess(settingsOf, LobbySettings),
  /** The host who does not play. */
  presenterId: z.uuid().optional(),
  durationMs: z.int(),
  questions: z.array(
    z.object({
      question: Question.partial({ commitment: true }),
      correctOptionId: z.int().min(0).max(3),
      /** Missing, with the commitment, in a plan of the release before seals. */
      nonce: z.string().optional(),
    }),
  ),
  /** In the order in which they joined the lobby. */
  players: z.array(z.object({ userId: z.uuid(), name: z.string() })),
  /** The trace of the start, which the clock's traces link to. */
  traceparent: z.string().optional(),
});
export type MatchPlan = z.output<typeof MatchPlan>;

/** @returns how long the game goes on where every phase takes its time, ms */
export function longestMs({ questions, durationMs, settings }: MatchPlan): number {
  return questions.length * (durationMs + settings.intermissionMs);
}
