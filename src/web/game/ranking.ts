// Places in a list of scores, and the words that fewest players knew. Equal scores share a place, and the next place
// is left out: 1, 1, 3. Pure.
import type { ListRequest } from '../../client/types.ts';
import { rightText } from './answers.ts';
import type { PlacedScore, ResolvedRound } from './game-state.ts';

export interface RankedScore extends PlacedScore {
  place: number;
  /** The number of places gained since the last round; negative for places lost, 0 if it is unknown. */
  placesGained: number;
}

/** The number of first places that are always shown. */
const LEADING = 5;

/**
 * @param scores highest first, as the service sends them
 * @param before the scores a round ago
 */
export function rankScores(scores: readonly PlacedScore[], before: readonly PlacedScore[] = []): RankedScore[] {
  const places = new Map(before.map((entry) => [entry.userId, placeOf(entry, before)]));
  return scores.map((entry) => {
    const place = placeOf(entry, scores);
    return { ...entry, place, placesGained: (places.get(entry.userId) ?? place) - place };
  });
}

function placeOf({ place, score }: PlacedScore, scores: readonly PlacedScore[]): number {
  return place ?? 1 + scores.findIndex((other) => other.score === score);
}

/** @returns the leaders, and the user with both neighbours; all entries if only one would be missing */
export function leadingAndOwn(standings: readonly RankedScore[], ownId: string): RankedScore[] {
  const own = standings.findIndex(({ userId }) => userId === ownId);
  const some = standings.filter((_standing, index) => index < LEADING || (own >= 0 && Math.abs(index - own) <= 1));
  return some.length >= standings.length - 1 ? [...standings] : some;
}

/** @returns the points that the user lacks to the next higher known score, or null if there is none */
export function pointsBehind(standings: readonly RankedScore[], ownId: string): number | null {
  const own = standings.find(({ userId }) => userId === ownId);
  const before = own && [...standings].reverse().find(({ score }) => score > own.score);
  return before ? before.score - own.score : null;
}

/** @returns the player's number of right answers in a row, up to the last round that the page has seen */
export function streakOf(resolved: readonly ResolvedRound[], ownId: string): number {
  const rights = resolved.map(({ answers }) => answers.some(({ userId, isCorrect }) => userId === ownId && isCorrect));
  return rights.length - 1 - rights.lastIndexOf(false);
}

/** How many words are played again. */
const HARDEST = 5;
/** How many a question with options needs: one is right, and three are wrong. */
const MIN_WORDS = 4;

/** A word that was asked, and the share of right answers among all who were to answer. */
export interface AskedWord {
  prompt: string;
  gloss?: string | undefined;
  right: string;
  share: number;
}

/** @returns the terms of the five hardest words, the hardest first; none if options could not be made of them */
export function hardestTerms(asked: readonly AskedWord[]): ListRequest['terms'] {
  const hardest = [...asked]
    .sort((one, other) => one.share - other.share)
    .slice(0, HARDEST)
    .map(({ prompt, gloss, right }) => {
      return { sourceText: prompt, targetText: right, ...(gloss && { sourceGloss: gloss }) };
    });
  return hardest.length < MIN_WORDS ? [] : hardest;
}

/** @returns the words of the rounds whose questions this page has seen */
export function askedIn(rounds: readonly ResolvedRound[]): AskedWord[] {
  return rounds.flatMap((round) => {
    const { question, counts, answers } = round;
    const right = question ? rightText(question, round) : '';
    if (!question || !right) return [];
    const all = counts.options?.reduce((sum, count) => sum + count, counts.none) ?? answers.length;
    return [{ ...question, right, share: counts.correct / Math.max(1, all) }];
  });
}
