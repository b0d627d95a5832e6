// What an answer does to what is known of a word, and what days of learning are: pure, the time is passed
// in. [contract 13]
import { type Card, createEmptyCard, fsrs, Rating, type State } from 'ts-fsrs';
import { quoted } from '../vocabulary/quoted.ts';
import { normalise, promptKey } from '../vocabulary/rules.ts';

/** The library's defaults, written down where the contract names them. */
const scheduler = fsrs({
  request_retention: 0.9,
  enable_fuzz: false,
  enable_short_term: true,
  learning_steps: ['1m', '10m'],
});

/** From this stability on, in days, a word counts as known. */
export const KNOWN_STABILITY_DAYS = 21;

export const QUARTER_MS = 15 * 60_000;
const DAY_MS = 24 * 3_600_000;

/** What FSRS knows of a user and a word. */
export interface Memory {
  dueMs: number;
  stability: number;
  difficulty: number;
  state: number;
  step: number;
  scheduledDays: number;
  reps: number;
  lapses: number;
  reviewedMs: number;
}

/** A word as questions show it. */
export interface Word {
  prompt: string;
  gloss?: string | undefined;
}

/**
 * @param words the name of its deck or list
 * @returns a word as the queue names it, as JSON
 */
export function queuedWord(words: string, { prompt, gloss }: Word): string {
  const said = gloss === undefined ? quoted(prompt) : `${quoted(prompt)},${quoted(gloss)}`;
  return `[${quoted(words)},${said}]`;
}

/** @returns what makes two words of one deck or list the same: the same as two questions */
export function wordKey({
  prompt,
  gloss = null,
}: {
  prompt: string;
  gloss?: string | null | undefined;
}): string {
  return promptKey({ sourceKey: normalise(prompt), sourceGloss: gloss });
}

/**
 * @param before what was known, or null of a word that was never answered
 * @param atMs when the answer was judged; never taken for earlier than the answer before it
 */
export function review(before: Memory | null, isRight: boolean, atMs: number): Memory {
  const reviewedMs = before ? Math.max(atMs, before.reviewedMs) : atMs;
  const at = new Date(reviewedMs);
  const card = before ? toCard(before) : createEmptyCard(at);
  const next = scheduler.next(card, at, isRight ? Rating.Good : Rating.Again).card;
  return {
    dueMs: next.due.getTime(),
    stability: next.stability,
    difficulty: next.difficulty,
    state: next.state,
    step: next.learning_steps,
    scheduledDays: next.scheduled_days,
    reps: next.reps,
    lapses: next.lapses,
    reviewedMs,
  };
}

function toCard(memory: Memory): Card {
  return {
    due: new Date(memory.dueMs),
    stability: memory.stability,
    difficulty: memory.difficulty,
    // Not used any more: the library finds it from the last review.
    elapsed_days: 0,
    scheduled_days: memory.scheduledDays,
    learning_steps: memory.step,
    reps: memory.reps,
    lapses: memory.lapses,
    state: memory.state as State,
    last_review: new Date(memory.reviewedMs),
  };
}

/** Answers of a user in a quarter of an hour; `quarterMs` is its beginning. */
export interface ReviewCount {
  quarterMs: number;
  reviews: number;
}

/** @returns the days of a time zone as numbers, one after another */
function dayNumbers(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-CA-u-ca-iso8601', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (ms) => Date.parse(format.format(ms)) / DAY_MS;
}

/** @returns how many answers of `counts` were judged on the day of `nowMs` */
export function reviewedToday(
  counts: readonly ReviewCount[],
  nowMs: number,
  timeZone: string,
): number {
  const dayOf = dayNumbers(timeZone);
  const today = dayOf(nowMs);
  return counts
    .filter(({ quarterMs }) => dayOf(quarterMs) === today)
    .reduce((sum, { reviews }) => sum + reviews, 0);
}

/** The calendar's: twelve weeks. */
const CALENDAR_DAYS = 84;

/** @returns from when on answers may be on a day of the calendar, ms: a little earlier */
export function calendarStartMs(nowMs: number): number {
  return nowMs - (CALENDAR_DAYS + 1) * DAY_MS;
}

/** @returns how many answers there were on each day of the calendar that has one, the earliest first */
export function calendarOf(
  counts: readonly ReviewCount[],
  nowMs: number,
  timeZone: string,
): { date: string; answers: number }[] {
  const dayOf = dayNumbers(timeZone);
  const first = dayOf(nowMs) - CALENDAR_DAYS + 1;
  const days = new Map<number, number>();
  for (const { quarterMs, reviews } of counts) {
    const day = dayOf(quarterMs);
    if (day >= first) days.set(day, (days.get(day) ?? 0) + reviews);
  }
  return [...days]
    .toSorted(([one], [other]) => one - other)
    .map(([day, answers]) => ({
      date: new Date(day * DAY_MS).toISOString().slice(0, 10),
      answers,
    }));
}

/**
 * Consecutive days with an answer up to today, or to yesterday while today has none.
 * @param counts the latest first
 */
export function streakDays(
  counts: readonly ReviewCount[],
  nowMs: number,
  timeZone: string,
): number {
  const dayOf = dayNumbers(timeZone);
  let days = 0;
  let next = dayOf(nowMs);
  for (const { quarterMs } of counts) {
    const day = dayOf(quarterMs);
    if (day > next) continue;
    if (day === next - 1 && days === 0) next = day;
    if (day !== next) break;
    days += 1;
    next = day - 1;
  }
  return days;
}
