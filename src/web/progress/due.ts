// Derives from a user's progress the due words to practise, what is learned, and the days of the last twelve weeks, for a
// calendar with one column for each week. Pure.
import type { Calendar } from '../../client/types.ts';
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

export interface Day {
  /** As ISO 8601, `2026-11-22`. */
  date: string;
  answers: number;
  /** From 0 to 4, by the number of answers; it selects the colour. */
  level: number;
}

const WEEKS = 12;
const DAY_MS = 24 * 3_600_000;
/** The numbers of answers from which a day has level 1, 2, 3 and 4. */
const LEVELS = [1, 10, 25, 50];

/**
 * @param today the date in the user's time zone, as ISO 8601
 * @param firstWeekday 1 for Monday … 7 for Sunday
 * @returns the weeks, oldest first; the last one ends today
 */
export function weeksOf({ days }: Calendar, today: string, firstWeekday: number): Day[][] {
  const answersOn = new Map(days.map(({ date, answers }) => [date, answers]));
  const todayMs = Date.parse(today);
  const place = (new Date(todayMs).getUTCDay() + 7 - firstWeekday) % 7;
  const startMs = todayMs - (place + 7 * (WEEKS - 1)) * DAY_MS;
  return Array.from({ length: WEEKS }, (_, week) =>
    Array.from({ length: week < WEEKS - 1 ? 7 : place + 1 }, (__, day) => {
      const date = isoDate(startMs + (7 * week + day) * DAY_MS);
      const answers = answersOn.get(date) ?? 0;
      return { date, answers, level: LEVELS.filter((least) => answers >= least).length };
    }),
  );
}

/**
 * @returns for each week its first day if a month is named above it, otherwise null. A month is named above the first
 *   of its weeks, unless that is a single week at the edge, where the next name would cover it
 */
export function monthStarts(weeks: readonly Day[][]): (Day | null)[] {
  const months = weeks.map(([first]) => first?.date.slice(0, 7));
  return weeks.map(([first], at) => {
    const isNew = months[at] !== months[at - 1];
    const isCovered = at === 0 && months[1] !== months[0];
    return isNew && !isCovered ? (first ?? null) : null;
  });
}

/** @returns a moment's date in the browser's time zone, as ISO 8601 */
export function localDate(now: Date): string {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  return isoDate(Date.UTC(year, month, day));
}

function isoDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
