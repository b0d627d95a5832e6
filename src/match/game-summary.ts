// A finished game without its rounds, as it is read and as clients see it.
import type { Prisma } from '../generated/prisma/client.ts';
import { settingsOf } from '../lobby/schema.ts';
import type { GameSummary } from './schema.ts';

/** What is read of a game, but for its rounds: these are most of it. */
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

/** @returns a game as clients see it, but for its rounds */
export function summaryOf(game: Prisma.GameGetPayload<{ select: typeof SUMMARY }>): GameSummary {
  return {
    gameId: game.id,
    code: game.code,
    settings: settingsOf(game.settings),
    startedAt: game.startedAt.toISOString(),
    finishedAt: game.finishedAt.toISOString(),
    scores: game.scores,
    winnerIds: game.winnerIds,
  };
}
