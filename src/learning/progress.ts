// Computes the progress and the calendar of a user. [contract 13]
import type { Database } from '../platform/postgres/postgres.ts';
import type { Services } from '../services.ts';
import { byEnumerations } from '../vocabulary/store.ts';
import * as rules from './rules.ts';
import type { Calendar, Progress } from './schema.ts';
import { wordsOfList } from './word-ids.ts';
import * as store from './words-store.ts';

/** The number of days that the first query for a streak reads. */
const FIRST_DAYS = 60;

export async function findProgress(
  deps: Pick<Services, 'db' | 'nowMs' | 'pools'>,
  userId: string,
  timeZone: string,
): Promise<Progress> {
  const nowMs = deps.nowMs();
  const now = new Date(nowMs);
  const before = new Date(nowMs + rules.FORECAST_MS);
  const [ofDecks, ofLists, plannedInDecks, streak] = await Promise.all([
    store.findDeckProgress(deps.db, userId, now),
    progressOfLists(deps, userId, before),
    store.findPlannedInDecks(deps.db, userId, { now, before }),
    findStreak(deps.db, userId, nowMs, timeZone),
  ]);
  const planned = ofLists.flatMap(({ plannedMs }) => plannedMs.map((dueMs) => ({ dueMs, words: 1 })));
  const lists = ofLists.map(({ plannedMs, ...list }) => ({
    ...list,
    due: plannedMs.filter((dueMs) => dueMs <= nowMs).length,
  }));
  const decks = [...ofDecks.toSorted(byEnumerations), ...lists];
  return {
    dueNow: decks.reduce((sum, { due }) => sum + due, 0),
    ...streak,
    forecast: rules.forecastOf([...plannedInDecks, ...planned], nowMs, timeZone),
    decks,
  };
}

/** @returns the days of the last twelve weeks on which the user has answered */
export async function findCalendar(
  { db, nowMs: readNowMs }: Pick<Services, 'db' | 'nowMs'>,
  userId: string,
  timeZone: string,
): Promise<Calendar> {
  const nowMs = readNowMs();
  const counts = await store.findReviewCounts(db, userId, new Date(nowMs - rules.CALENDAR_MS));
  return { days: rules.calendarOf(counts, nowMs, timeZone) };
}

async function progressOfLists({ db, pools }: Pick<Services, 'db' | 'pools'>, userId: string, before: Date) {
  const lists = await store.findLearnedLists(db, userId, before);
  const counted = await Promise.all(lists.map((list) => countPresent(pools, list)));
  return counted.filter((list) => list !== null);
}

/** Counts only the learned words that the list still has. @returns null for a list that was deleted after the query */
async function countPresent(pools: Services['pools'], list: store.LearnedList) {
  const { listId, reverse, name, questions, learned } = list;
  // A list without learned words need not be loaded.
  const words = learned.length > 0 ? await wordsOfList(pools, list) : undefined;
  const present = learned.filter(({ word }) => words?.terms.has(word));
  if (words === null || (reverse && present.length === 0)) return null;
  return {
    listId,
    name,
    ...(reverse && { reverse: true as const }),
    questions: words?.pool.supply.questions ?? questions,
    seen: present.length,
    known: present.filter(({ isKnown }) => isKnown).length,
    plannedMs: present.flatMap(({ dueMs }) => dueMs ?? []),
  };
}

async function findStreak(db: Database, userId: string, nowMs: number, timeZone: string) {
  for (let days = FIRST_DAYS; ; days *= 2) {
    const counts = await store.findReviewCounts(db, userId, new Date(nowMs - days * rules.DAY_MS));
    const streak = rules.streakOf(counts, nowMs, timeZone);
    // The earliest day may be incomplete, and today may have no answer.
    if (streak.streakDays < days - 2) return streak;
  }
}
