// Selects due words to practise, and counts what is learned. Pure.
import type { Progress } from '../../learning/schema.ts';

/** The user's progress with a deck or a list. */
export type WordsProgress = Progress['decks'][number];

/** The largest number of due words in one quiz. */
const MAX_AT_ONCE = 20;

/** @returns the deck or list with the most due words; null if none has any */
export function mostDue({ decks }: Progress): WordsProgress | null {
  const most = Math.max(0, ...decks.map(({ due }) => due));
  return decks.find(({ due }) => due > 0 && due === most) ?? null;
}

/** @returns the number of questions for the due words of a deck or list, limited to one quiz */
export function practiceCount({ due, questions }: WordsProgress): number {
  return Math.min(due, questions, MAX_AT_ONCE);
}

/** @returns the numbers of words that are known, being learned and new */
export function stagesOf({ questions, seen, known }: WordsProgress) {
  // Words that were learned may have been removed from the deck since.
  return { known, learning: seen - known, fresh: Math.max(0, questions - seen) };
}

/** @returns whether the user has learned any word */
export function hasLearned({ decks }: Progress): boolean {
  return decks.some(({ seen }) => seen > 0);
}
