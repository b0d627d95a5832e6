// Places in a list of scores. Equal scores share a place, and the next one is left out: 1, 1, 3.
import type { Score } from '../match/schema.ts';
import type { ResolvedRound } from './game-state.ts';

export interface Standing extends Score {
  place: number;
  /** How many places up since the last round, down when negative; 0 where nobody can say. */
  climbed: number;
}

/** How many are named in any case. */
const LEADING = 5;

/**
 * @param scores highest first, as the service sends them
 * @param before as they were a round ago
 */
export function placesOf(scores: readonly Score[], before: readonly Score[] = []): Standing[] {
  const places = placesById(before);
  return scores.map((entry) => {
    const place = placeOf(entry.score, scores);
    return { ...entry, place, climbed: (places.get(entry.userId) ?? place) - place };
  });
}

function placesById(scores: readonly Score[]): Map<string, number> {
  return new Map(scores.map(({ userId, score }) => [userId, placeOf(score, scores)]));
}

function placeOf(score: number, scores: readonly Score[]): number {
  return 1 + scores.findIndex((other) => other.score === score);
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

/** @returns how many of the last rounds in a row a player has answered right, as far as was seen */
export function streakOf(resolved: readonly ResolvedRound[], ownId: string): number {
  const rights = resolved.map(({ answers }) =>
    answers.some(({ userId, isCorrect }) => userId === ownId && isCorrect),
  );
  return rights.length - 1 - rights.lastIndexOf(false);
}
