// Computes the memory of a word by FSRS, streaks and the calendar. Pure: the time is a parameter. [contract 13]
import { type Card, createEmptyCard, fsrs, Rating } from 'ts-fsrs';
import type { Verdict } from '../judging/verdict.ts';

/** These are the library's defaults; those that the contract names are explicit. */
const scheduler = fsrs({
  request_retention: 0.9,
  enable_fuzz: false,
  enable_short_term: true,
  learning_steps: ['1m', '10m'],
});

/** The grade of an answer. A chosen one is right or wrong. [contract 13, 20] */
const GRADES = { right: Rating.Good, close: Rating.Hard, wrong: Rating.Again } as const;

/** The stability, in days, from which on a word counts as known. */
export const KNOWN_STABILITY_DAYS = 21;

/** Answers are counted by quarters of an hour, since the days of every time zone begin at one, ms. */
export const QUARTER_MS = 15 * 60_000;
export const DAY_MS = 24 * 3_600_000;

/**
 * @param before the memory before the answer; null for a word that was never answered
 * @param atMs the time of the judgement; an earlier time than that of the answer before counts as the latter
 */
export function review(before: Card | null, verdict: Verdict, atMs: number): Card {
  const at = new Date(Math.max(atMs, before?.last_review?.getTime() ?? atMs));
  return scheduler.next(before ?? createEmptyCard(at), at, GRADES[verdict]).card;
}

/** The number of a user's answers in a quarter of an hour, which begins at `quarterMs`. */
export interface ReviewCount {
  quarterMs: number;
  reviews: number;
}

/** @returns a function that numbers the day of a time in the time zone; consecutive days differ by 1 */
function dayNumbers(timeZone: string): (ms: number) => number {
  const numeric = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-CA-u-ca-iso8601', { timeZone, ...numeric });
  return (ms) => Date.parse(format.format(ms)) / DAY_MS;
}

/** @returns the numbers of answers by the number of their day, and the number of today */
function answersByDay(counts: readonly ReviewCount[], nowMs: number, timeZone: string) {
  const dayOf = dayNumbers(timeZone);
  const answers = new Map<number, number>();
  for (const { quarterMs, reviews } of counts) {
    const day = dayOf(quarterMs);
    answers.set(day, (answers.get(day) ?? 0) + reviews);
  }
  return { answers, today: dayOf(nowMs) };
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

export function reviewedToday(counts: readonly ReviewCount[], nowMs: number, timeZone: string): number {
  const { answers, today } = answersByDay(counts, nowMs, timeZone);
  return answers.get(today) ?? 0;
}

/** The number of days of the calendar: twelve weeks. */
const CALENDAR_DAYS = 84;

/** @returns a time, ms, before the beginning of the calendar in every time zone */
export function calendarStartMs(nowMs: number): number {
  return nowMs - (CALENDAR_DAYS + 1) * DAY_MS;
}

/** @returns the days of the calendar with an answer, and their numbers of answers, the earliest first */
export function calendarOf(counts: readonly ReviewCount[], nowMs: number, timeZone: string) {
  const { answers, today } = answersByDay(counts, nowMs, timeZone);
  const days = [...answers].filter(([day]) => day > today - CALENDAR_DAYS).toSorted(([one], [other]) => one - other);
  return days.map(([day, number]) => ({ date: dateOf(day), answers: number }));
}

/** The number of days of the forecast, with today. */
const FORECAST_DAYS = 7;

/** @returns a time, ms, after the end of the forecast in every time zone */
export function forecastEndMs(nowMs: number): number {
  return nowMs + (FORECAST_DAYS + 1) * DAY_MS;
}

/** @returns for each day from today on how many words become due; today's are those that are overdue, too */
export function forecastOf(planned: readonly { dueMs: number; words: number }[], nowMs: number, timeZone: string) {
  const dayOf = dayNumbers(timeZone);
  const today = dayOf(nowMs);
  const dues = new Array<number>(FORECAST_DAYS).fill(0);
  for (const { dueMs, words } of planned) {
    const at = dayOf(Math.max(dueMs, nowMs)) - today;
    if (at < FORECAST_DAYS) dues[at] = (dues[at] ?? 0) + words;
  }
  return dues.map((due, at) => ({ date: dateOf(today + at), due }));
}

/** @returns the number of consecutive days with an answer up to today, or up to yesterday while today has none */
export function streakDays(counts: readonly ReviewCount[], nowMs: number, timeZone: string): number {
  const { answers, today } = answersByDay(counts, nowMs, timeZone);
  const end = answers.has(today) ? today + 1 : today;
  let start = end;
  while (answers.has(start - 1)) start--;
  return end - start;
}
