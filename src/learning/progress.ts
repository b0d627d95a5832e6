// What a user has learned, and how steadily. [contract 13]
import { AppError } from '../errors.ts';
import type { Database } from '../platform/postgres.ts';
import type { Pools } from '../vocabulary/pools.ts';
import { wordsName } from '../vocabulary/rules.ts';
import {
  calendarOf,
  calendarStartMs,
  type ReviewCount,
  reviewedToday,
  streakDays,
} from './rules.ts';
import type { Calendar, Progress } from './schema.ts';
import { findDeckProgress, findLearnedLists, findReviewCounts, type LearnedList } from './store.ts';
import { wordsOfPool } from './word-ids.ts';

const DAY_MS = 24 * 3_600_000;
/** How many days are read at once to find how long a streak is. */
const DAYS_AT_ONCE = 60;

/** What looking up progress needs. */
export interface ProgressDeps {
  db: Database;
  pools: Pick<Pools, 'decks' | 'pool'>;
  /** The Redis server's time, ms: what is due is due by it. */
  nowMs(): number;
}

/** @param timeZone whose days count */
export async function findProgress(
  deps: ProgressDeps,
  userId: string,
  timeZone: string,
): Promise<Progress> {
  const nowMs = deps.nowMs();
  const now = new Date(nowMs);
  const [ofDecks, ofLists, counts] = await Promise.all([
    progressOfDecks(deps, userId, now),
    progressOfLists(deps, userId, now),
    findStreak(deps.db, userId, nowMs, timeZone),
  ]);
  const decks = [...ofDecks, ...ofLists];
  return {
    dueNow: decks.reduce((sum, { due }) => sum + due, 0),
    reviewedToday: reviewedToday(counts, nowMs, timeZone),
    streakDays: streakDays(counts, nowMs, timeZone),
    decks,
  };
}

/** On which days of the last twelve weeks a user has learned. @param timeZone whose days count */
export async function findCalendar(
  { db, nowMs: readNowMs }: ProgressDeps,
  userId: string,
  timeZone: string,
): Promise<Calendar> {
  const nowMs = readNowMs();
  const from = new Date(calendarStartMs(nowMs));
  // Somewhere it is tomorrow already.
  const counts = await findReviewCounts(db, userId, { from, before: new Date(nowMs + DAY_MS) });
  return { days: calendarOf(counts, nowMs, timeZone) };
}

async function progressOfDecks({ db, pools }: ProgressDeps, userId: string, now: Date) {
  const [seen, decks] = await Promise.all([findDeckProgress(db, userId, now), pools.decks()]);
  const byName = new Map(seen.map((deck) => [wordsName(deck), deck]));
  return decks.flatMap((deck) => {
    const progress = byName.get(wordsName(deck));
    return progress ? [{ ...progress, questions: deck.questions }] : [];
  });
}

async function progressOfLists({ db, pools }: ProgressDeps, userId: string, now: Date) {
  const lists = await findLearnedLists(db, userId, now);
  const counted = lists.map((list) =>
    list.seen.length > 0 ? countStill(pools, list) : count(list),
  );
  return (await Promise.all(counted)).filter((list) => list !== null);
}

/** Of the words that were learned only those count that the list still has. */
async function countStill(pools: ProgressDeps['pools'], list: LearnedList) {
  try {
    const pool = await pools.pool(list);
    const { terms } = wordsOfPool(wordsName({ listId: list.listId }), pool);
    return count(list, (word) => terms.has(word));
  } catch (error) {
    // Deleted in this moment.
    if (error instanceof AppError && error.code === 'LIST_NOT_FOUND') return null;
    throw error;
  }
}

function count(
  { listId, name, questions, seen, known, due }: LearnedList,
  isThere: (word: string) => boolean = () => true,
) {
  const [seenNow, knownNow, dueNow] = [seen, known, due].map(
    (words) => words.filter(isThere).length,
  ) as [number, number, number];
  return { listId, name, questions, seen: seenNow, known: knownNow, due: dueNow };
}

/** @returns the answers of as many days as the streak is long, and a little more, the latest first */
async function findStreak(
  db: Database,
  userId: string,
  nowMs: number,
  timeZone: string,
): Promise<ReviewCount[]> {
  const counts: ReviewCount[] = [];
  // Somewhere it is tomorrow already.
  let before = new Date(nowMs + DAY_MS);
  for (let days = DAYS_AT_ONCE; ; days += DAYS_AT_ONCE) {
    const from = new Date(nowMs - days * DAY_MS);
    counts.push(...(await findReviewCounts(db, userId, { from, before })));
    // With a day that may be cut off at the end, and today without an answer.
    if (streakDays(counts, nowMs, timeZone) < days - 2) return counts;
    before = from;
  }
}
