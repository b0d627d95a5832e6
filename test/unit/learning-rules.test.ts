// What an answer does to what is known of a word, and what days of learning are. [contract 13]
import { createEmptyCard, fsrs, Rating } from 'ts-fsrs';
import { describe, expect, test } from 'vitest';
import {
  calendarOf,
  calendarStartMs,
  type Memory,
  QUARTER_MS,
  queuedWord,
  review,
  reviewedToday,
  streakDays,
  wordKey,
} from '../../src/learning/rules.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const START_MS = Date.parse('2026-11-22T08:00:00.000Z');

/** Answers one after another: how long after the one before, and whether right. */
function learn(...answers: [afterMs: number, isRight: boolean][]): Memory[] {
  let atMs = START_MS;
  const memories: Memory[] = [];
  for (const [afterMs, isRight] of answers) {
    atMs += afterMs;
    memories.push(review(memories.at(-1) ?? null, isRight, atMs));
  }
  return memories;
}

/** In minutes from the answer. */
const dueIn = (memory: Memory | undefined) =>
  memory && (memory.dueMs - memory.reviewedMs) / MINUTE_MS;

describe('a judged answer updates what is known of a word, by FSRS', () => {
  test('a word that was right for the first time is due after the second step, 10 minutes', () => {
    expect(dueIn(learn([0, true])[0])).toBe(10);
  });

  test('a word that was wrong is due after the first step, 1 minute', () => {
    expect(dueIn(learn([0, false])[0])).toBe(1);
  });

  test('right after both steps, it is due in days', () => {
    expect(dueIn(learn([0, true], [10 * MINUTE_MS, true])[1])).toBeGreaterThanOrEqual(24 * 60);
  });

  test('it is what the library makes of the same answers with its defaults, fold by fold', () => {
    const answers: [number, boolean][] = [
      [0, true],
      [10 * MINUTE_MS, true],
      [3 * DAY_MS, true],
      [10 * DAY_MS, false],
      [MINUTE_MS, true],
      [10 * MINUTE_MS, true],
      [40 * DAY_MS, true],
    ];
    const scheduler = fsrs({ enable_fuzz: false, request_retention: 0.9 });
    let atMs = START_MS;
    let card = createEmptyCard(new Date(atMs));
    for (const [index, [afterMs, isRight]] of answers.entries()) {
      atMs += afterMs;
      card = scheduler.next(card, new Date(atMs), isRight ? Rating.Good : Rating.Again).card;
      const memory = learn(...answers.slice(0, index + 1)).at(-1);
      expect(memory).toMatchObject({
        dueMs: card.due.getTime(),
        stability: card.stability,
        difficulty: card.difficulty,
        state: card.state,
        reps: card.reps,
        lapses: card.lapses,
      });
    }
  });

  test('an answer counts as judged no earlier than the one before it', () => {
    const first = review(null, true, START_MS);
    const second = review(first, true, START_MS - 5000);
    expect(second.reviewedMs).toBe(first.reviewedMs);
    expect(second.reps).toBe(2);
  });
});

describe('a word is a deck’s prompt with its gloss', () => {
  test('texts that are compared as equal are one word; with another gloss it is another', () => {
    const word = { prompt: 'House', gloss: 'a building' };
    expect(wordKey({ prompt: ' house ', gloss: 'A Building' })).toBe(wordKey(word));
    expect(wordKey({ prompt: 'house' })).not.toBe(wordKey(word));
    expect(wordKey({ prompt: 'house', gloss: 'a dynasty' })).not.toBe(wordKey(word));
  });

  test('the queue names it by deck, prompt and gloss', () => {
    const deck = 'en it noun A1';
    expect(JSON.parse(queuedWord(deck, { prompt: 'house', gloss: 'g' }))).toEqual([
      deck,
      'house',
      'g',
    ]);
    expect(JSON.parse(queuedWord(deck, { prompt: 'house' }))).toEqual([deck, 'house']);
  });
});

describe('days are by time zone', () => {
  const nowMs = Date.parse('2026-11-22T12:00:00.000Z');
  /** Counts of one answer each, the latest first. */
  const at = (...times: string[]) =>
    times.map((time) => ({
      quarterMs: Math.floor(Date.parse(time) / QUARTER_MS) * QUARTER_MS,
      reviews: 1,
    }));

  test('reviewedToday counts the answers of the day', () => {
    const counts = at('2026-11-22T11:59:00Z', '2026-11-22T00:00:00Z', '2026-11-21T23:59:00Z');
    expect(reviewedToday(counts, nowMs, 'UTC')).toBe(2);
    // An hour ahead: what was yesterday in UTC was today already.
    expect(reviewedToday(counts, nowMs, 'Europe/Rome')).toBe(3);
    expect(reviewedToday(counts, nowMs, 'America/New_York')).toBe(1);
    // Days that don't begin with an hour of UTC.
    expect(reviewedToday(at('2026-11-21T18:15:00Z'), nowMs, 'Asia/Kathmandu')).toBe(1);
    expect(reviewedToday(at('2026-11-21T18:14:00Z'), nowMs, 'Asia/Kathmandu')).toBe(0);
  });

  test('the calendar counts the answers of each of the last 84 days', () => {
    const counts = at(
      ...['2026-11-22T11:59:00Z', '2026-11-22T00:00:00Z', '2026-11-21T23:45:00Z'],
      ...['2026-08-31T00:00:00Z', '2026-08-30T23:45:00Z'],
    );
    expect(calendarOf(counts, nowMs, 'UTC')).toEqual([
      { date: '2026-08-31', answers: 1 },
      { date: '2026-11-21', answers: 1 },
      { date: '2026-11-22', answers: 2 },
    ]);
    expect(calendarOf(counts, nowMs, 'Europe/Rome')).toEqual([
      { date: '2026-08-31', answers: 2 },
      { date: '2026-11-22', answers: 3 },
    ]);
    expect(calendarStartMs(nowMs)).toBeLessThan(Date.parse('2026-08-30T10:00:00Z'));
  });

  test('a streak goes up to today, or to yesterday while today has none', () => {
    expect(streakDays([], nowMs, 'UTC')).toBe(0);
    expect(streakDays(at('2026-11-22T01:00:00Z'), nowMs, 'UTC')).toBe(1);
    expect(streakDays(at('2026-11-21T01:00:00Z'), nowMs, 'UTC')).toBe(1);
    expect(streakDays(at('2026-11-20T23:00:00Z'), nowMs, 'UTC')).toBe(0);
    const three = at(
      ...['2026-11-22T01:00:00Z', '2026-11-21T20:00:00Z', '2026-11-21T01:00:00Z'],
      ...['2026-11-20T01:00:00Z', '2026-11-18T01:00:00Z'],
    );
    expect(streakDays(three, nowMs, 'UTC')).toBe(3);
    expect(streakDays(three.slice(1), nowMs, 'UTC')).toBe(2);
  });

  test('days of 23 and of 25 hours are days', () => {
    const berlin = (month: string, days: string[]) =>
      at(...days.map((day) => `2026-${month}-${day}T12:00:00Z`));
    const afterOctober = Date.parse('2026-10-26T22:30:00.000Z');
    expect(streakDays(berlin('10', ['26', '25', '24']), afterOctober, 'Europe/Berlin')).toBe(3);
    const afterMarch = Date.parse('2026-03-30T21:30:00.000Z');
    expect(streakDays(berlin('03', ['30', '29', '28']), afterMarch, 'Europe/Berlin')).toBe(3);
  });
});
