// The summary of a finished game: its result without the rounds, which are most of it.
import type { Prisma } from '../generated/prisma/client.ts';
import type { LobbySettings } from '../lobby/schema.ts';
import type { GameSummary } from './schema.ts';

/** The fields that are read from PostgreSQL for a summary. */
export const SUMMARY = {
  id: true,
  code: true,
  settings: true,
  startedAt: true,
  finishedAt: true,
  winnerIds: true,
  scores: {
    orderBy: { position: 'asc' },
    select: { userId: true, name: true, score: true, correct: true },
  },
} satisfies Prisma.GameSelect;

/** @returns a row of PostgreSQL as clients see it */
export function summaryOf(game: Prisma.GameGetPayload<{ select: typeof SUMMARY }>): GameSummary {
  return {
    gameId: game.id,
    code: game.code,
    settings: game.settings as LobbySettings,
    startedAt: game.startedAt.toISOString(),
    finishedAt: game.finishedAt.toISOString(),
    scores: game.scores,
    winnerIds: game.winnerIds,
  };
}
