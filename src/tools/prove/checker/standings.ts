// Ranks and winners by the contract's words, for the checker alone: it must not share the service's own functions,
// whose mistakes it would repeat. [contract 5.7, 19]
import type { Score } from '../../../match/schema.ts';

/** @param scores in the order in which the players entered the game, which decides between equals */
export const ranked = (scores: readonly Score[]): Score[] => scores.toSorted((a, b) => b.score - a.score);

/** @returns the ids of all players with the highest score */
export function winnersOf(scores: readonly Score[]): string[] {
  const highest = Math.max(...scores.map(({ score }) => score));
  return scores.filter(({ score }) => score === highest).map(({ userId }) => userId);
}

/** @returns 1 + the number of players with a higher score */
export const rankOf = (score: number, scores: readonly Score[]): number =>
  1 + scores.filter((other) => other.score > score).length;
