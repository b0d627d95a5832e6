// Places in a list of scores. Equal scores share a place, and the next one is left out: 1, 1, 3.
import type { Score } from '../match/schema.ts';

export interface Standing extends Score {
  place: number;
}

/** @param scores highest first, as the service sends them */
export function placesOf(scores: readonly Score[]): Standing[] {
  return scores.map((entry) => ({
    ...entry,
    place: 1 + scores.filter(({ score }) => score > entry.score).length,
  }));
}
