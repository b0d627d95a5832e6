// Computes the progress and the calendar of a user. [contract 13]
import type { Database } from '../platform/postgres/postgres.ts';
import type { Services } from '../services.ts';
import { wordsName } from '../vocabulary/rules.ts';
import * as rules from './rules.ts';
import type { Calendar, Progress } from './schema.ts';
import { wordsOfList } from './word-ids.ts';
import * as store from './words-store.ts';

/** The number of days that one query reads to compute the length of a streak. */
const DAYS_AT_ONCE = 60;

export async function findProgress(
  deps: Pick<Services, 'db' | 'nowMs' | 'pools'>,
  userId: string,
  timeZone: string,
): Promise<Progress> {
  const nowMs = deps.nowMs();
  const now = new Date(nowMs);
  const before = new Date(rules.forecastEndMs(nowMs));
  const [ofDecks, ofLists, plannedInDecks, counts] = await Promise.all([
    progressOfDecks(deps, userId, now),
    progressOfLists(deps, userId, before),
    store.findPlannedInDecks(deps.db, userId, { now, before }),
    findStreak(deps.db, userId, nowMs, timeZone),
  ]);
  const planned = ofLists.flatMap(({ plannedMs }) => plannedMs.map((dueMs) => ({ dueMs, words: 1 })));
  const lists = ofLists.map(({ plannedMs, ...list }) => ({
    ...list,
    due: plannedMs.filter((dueMs) => dueMs <= nowMs).length,
  }));
  const decks = [...ofDecks, ...lists];
  return {
    dueNow: decks.reduce((sum, { due }) => sum + due, 0),
    reviewedToday: rules.reviewedToday(counts, nowMs, timeZone),
    streakDays: rules.streakDays(counts, nowMs, timeZone),
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
  const from = new Date(rules.calendarStartMs(nowMs));
  // The next day has begun in some time zones.
  const counts = await store.findReviewCounts(db, userId, { from, before: new Date(nowMs + rules.DAY_MS) });
  return { days: rules.calendarOf(counts, nowMs, timeZone) };
}

async function progressOfDecks({ db, pools }: Pick<Services, 'db' | 'pools'>, userId: string, now: Date) {
  const [seen, decks] = await Promise.all([store.findDeckProgress(db, userId, now), pools.decks()]);
  const byName = new Map(seen.map((deck) => [wordsName(deck), deck]));
  return decks.flatMap((deck) => {
    const progress = byName.get(wordsName(deck));
    return progress ? [{ ...progress, questions: deck.questions }] : [];
  });
}

async function progressOfLists({ db, pools }: Pick<Services, 'db' | 'pools'>, userId: string, before: Date) {
  const lists = await store.findLearnedLists(db, userId, before);
  const counted = await Promise.all(lists.map((list) => countPresent(pools, list)));
  return counted.filter((list) => list !== null);
}

/** Counts only the learned words that the list still has. @returns null for a list that was deleted after the query */
async function countPresent(pools: Services['pools'], list: store.LearnedList) {
  const { listId, reverse, name, questions, seen, known, planned, plannedMs } = list;
  // A list without learned words need not be loaded.
  const words = seen.length > 0 ? await wordsOfList(pools, list) : undefined;
  const isPresent = (word: string | undefined) => word !== undefined && words?.terms.has(word);
  const present = seen.filter(isPresent).length;
  if (words === null || (reverse && present === 0)) return null;
  return {
    listId,
    name,
    ...(reverse && { reverse: true as const }),
    questions: words?.pool.supply.questions ?? questions,
    seen: present,
    known: known.filter(isPresent).length,
    plannedMs: plannedMs.filter((_, at) => isPresent(planned[at])),
  };
}

/** @returns the counts of at least as many days as the streak has, the latest first */
async function findStreak(db: Database, userId: string, nowMs: number, timeZone: string): Promise<rules.ReviewCount[]> {
  const counts: rules.ReviewCount[] = [];
  // The next day has begun in some time zones.
  let before = new Date(nowMs + rules.DAY_MS);
  for (let days = DAYS_AT_ONCE; ; days += DAYS_AT_ONCE) {
    const from = new Date(nowMs - days * rules.DAY_MS);
    counts.push(...(await store.findReviewCounts(db, userId, { from, before })));
    // The earliest day may be incomplete, and today may have no answer.
    if (rules.streakDays(counts, nowMs, timeZone) < days - 2) return counts;
    before = from;
  }
}
