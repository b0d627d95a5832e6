// The summary of a finished game: its result without the rounds, which are most of it. Of a compact game, its host
// at the end gets all, and a player the ten best and the own score. [contract 13, 19]
import type { Prisma } from '../generated/prisma/client.ts';
import type { LobbySettings } from '../lobby/schema.ts';
import { type GameSummary, TOP_PLACES } from './schema.ts';

/** The fields that are read from PostgreSQL for a whole summary. */
export const SUMMARY = {
  id: true,
  code: true,
  settings: true,
  startedAt: true,
  finishedAt: true,
  winnerIds: true,
  scores: { orderBy: { position: 'asc' }, select: { userId: true, name: true, score: true, correct: true } },
} satisfies Prisma.GameSelect;

/** @returns the fields that are read for a summary as this user gets it */
export function summaryFor(userId: string) {
  const isShown = [
    { position: { lt: TOP_PLACES } },
    { userId },
    { game: { OR: [{ compact: false }, { hostId: userId }] } },
  ];
  return {
    ...SUMMARY,
    compact: true,
    hostId: true,
    scores: { ...SUMMARY.scores, select: { ...SUMMARY.scores.select, seat: true }, where: { OR: isShown } },
  } satisfies Prisma.GameSelect;
}

type SummaryRow = Prisma.GameGetPayload<{ select: typeof SUMMARY }>;
type ShownRow = Prisma.GameGetPayload<{ select: ReturnType<typeof summaryFor> }>;

/** @returns a row of PostgreSQL as a whole summary */
export function summaryOf(game: SummaryRow): GameSummary {
  return {
    gameId: game.id,
    code: game.code,
    settings: game.settings as LobbySettings,
    startedAt: game.startedAt.toISOString(),
    finishedAt: game.finishedAt.toISOString(),
    scores: game.scores.map(({ userId, name, score, correct }) => ({ userId, name, score, correct })),
    winnerIds: game.winnerIds,
  };
}

/** @returns a row of PostgreSQL as this user gets it */
export function shownSummary(game: ShownRow, userId: string): GameSummary {
  const summary = summaryOf(game);
  if (!game.compact) return summary;
  const { winnerIds } = game;
  const listed = game.hostId === userId ? winnerIds : winnerIds.slice(0, TOP_PLACES);
  return { ...summary, winnerIds: listed, winnerCount: winnerIds.length };
}
