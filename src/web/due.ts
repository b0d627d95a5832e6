// What to practise first, of all that one has learned. Pure.
import type { Progress } from '../learning/schema.ts';

/** A deck or a list, and how far one has got with it. */
export type WordsProgress = Progress['decks'][number];

/** A sitting: who has more that is due goes on with the next one. */
const MAX_AT_ONCE = 20;

/** @returns the words of which the most are due; null when nothing is */
export function mostDue({ decks }: Progress): WordsProgress | null {
  const most = Math.max(0, ...decks.map(({ due }) => due));
  return decks.find(({ due }) => due > 0 && due === most) ?? null;
}

/** @returns how many questions ask what is due of a deck or a list, as far as they fit a sitting */
export function practiceCount({ due, questions }: WordsProgress): number {
  return Math.min(due, questions, MAX_AT_ONCE);
}

/** @returns how far one has got, in words: those that are known, being learned, and new */
export function stagesOf({ questions, seen, known }: WordsProgress) {
  // A deck can have lost words since they were counted.
  return { known, learning: seen - known, fresh: Math.max(0, questions - seen) };
}

/** @returns whether anything was learned yet */
export function hasLearned({ decks }: Progress): boolean {
  return decks.some(({ seen }) => seen > 0);
}
