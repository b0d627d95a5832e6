// Places in a list of scores. Equal scores share a place, and the next one is left out: 1, 1, 3.
import type { Score } from '../match/schema.ts';

export interface Standing extends Score {
  place: number;
}

/** How many are named in any case. */
const LEADING = 5;

/** @param scores highest first, as the service sends them */
export function placesOf(scores: readonly Score[]): Standing[] {
  return scores.map((entry) => ({
    ...entry,
    place: 1 + scores.filter(({ score }) => score > entry.score).length,
  }));
}

/** @returns who leads, and who stands beside oneself; a list that lacks no more than one is whole */
export function leadingAndOwn(standings: readonly Standing[], ownId: string): Standing[] {
  const own = standings.findIndex(({ userId }) => userId === ownId);
  const some = standings.filter(
    (_standing, index) => index < LEADING || (own >= 0 && Math.abs(index - own) <= 1),
  );
  return some.length >= standings.length - 1 ? [...standings] : some;
}

/** @returns the points that are missing to the one before, or null for who has none before */
export function pointsBehind(standings: readonly Standing[], ownId: string): number | null {
  const own = standings.find(({ userId }) => userId === ownId);
  const before = own && standings.findLast(({ score }) => score > own.score);
  return before ? before.score - own.score : null;
}
