// How an answer changes the memory of a word, and how days of learning are counted. [contract 13]
import { type Card, createEmptyCard, fsrs, Rating } from 'ts-fsrs';
import { describe, expect, test } from 'vitest';
import {
  calendarOf,
  calendarStartMs,
  forecastEndMs,
  forecastOf,
  QUARTER_MS,
  review,
  reviewedToday,
  streakDays,
} from '../../src/learning/rules.ts';
import { referenceTo, wordId } from '../../src/learning/word-ids.ts';
import { wordKey } from '../../src/vocabulary/rules.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const START_MS = Date.parse('2026-11-22T08:00:00.000Z');

describe('a judged answer updates the memory of a word by FSRS', () => {
  test('the result equals that of the FSRS library with its defaults, answer by answer', () => {
    const scheduler = fsrs({ enable_fuzz: false, request_retention: 0.9 });
    let atMs = START_MS;
    let card = createEmptyCard(new Date(atMs));
    let memory: Card | null = null;
    for (const [afterMs, verdict, grade] of [
      [0, 'right', Rating.Good],
      [10 * MINUTE_MS, 'right', Rating.Good],
      [3 * DAY_MS, 'close', Rating.Hard],
      [10 * DAY_MS, 'wrong', Rating.Again],
      [MINUTE_MS, 'right', Rating.Good],
      [10 * MINUTE_MS, 'right', Rating.Good],
      [40 * DAY_MS, 'right', Rating.Good],
    ] as const) {
      atMs += afterMs;
      card = scheduler.next(card, new Date(atMs), grade).card;
      memory = review(memory, verdict, atMs);
      expect(memory).toEqual(card);
    }
  });

  test('an answer counts as judged no earlier than the one before it', () => {
    const first = review(null, 'right', START_MS);
    const second = review(first, 'right', START_MS - 5000);
    expect(second.last_review).toEqual(first.last_review);
    expect(second.reps).toBe(2);
  });
});

describe('a word is the prompt of a deck with its gloss', () => {
  test('texts that compare as equal are one word, and another gloss makes another word', () => {
    const word = { prompt: 'House', gloss: 'a building' };
    expect(wordKey({ prompt: ' house ', gloss: 'A Building' })).toBe(wordKey(word));
    expect(wordKey({ prompt: 'house' })).not.toBe(wordKey(word));
    expect(wordKey({ prompt: 'house', gloss: 'a dynasty' })).not.toBe(wordKey(word));
  });

  test('a judgement names a deck’s word by prompt and gloss, and a list’s word, whose texts may be long, by its id', () => {
    const deck = 'en it noun A1';
    expect(referenceTo(deck, { prompt: 'house', gloss: 'g' })).toEqual({ prompt: 'house', gloss: 'g' });
    expect(referenceTo(deck, { prompt: 'house' })).toEqual({ prompt: 'house' });
    const long = { prompt: '😀'.repeat(120), gloss: '😀'.repeat(200) };
    const list = 'list 5b0f6d0a-3a0e-4a57-8f0b-1a9b8c7d6e5f';
    expect(referenceTo(list, long)).toEqual({ id: wordId(list, wordKey(long)) });
  });
});

describe('days are those of a time zone', () => {
  const nowMs = Date.parse('2026-11-22T12:00:00.000Z');
  /** Counts of one answer each at times of 2026 in UTC, the latest first. */
  const at = (...times: string[]) =>
    times.map((time) => {
      const timeMs = Date.parse(`2026-${time}Z`);
      return { quarterMs: Math.floor(timeMs / QUARTER_MS) * QUARTER_MS, reviews: 1 };
    });

  test('`reviewedToday` counts the answers of the day', () => {
    const counts = at('11-22T11:59', '11-22T00:00', '11-21T23:59');
    expect(reviewedToday(counts, nowMs, 'UTC')).toBe(2);
    // Rome is an hour ahead, so that the last minutes of a UTC day are part of its next day.
    expect(reviewedToday(counts, nowMs, 'Europe/Rome')).toBe(3);
    expect(reviewedToday(counts, nowMs, 'America/New_York')).toBe(1);
    // Kathmandu's days don't begin at a full hour of UTC.
    expect(reviewedToday(at('11-21T18:15'), nowMs, 'Asia/Kathmandu')).toBe(1);
    expect(reviewedToday(at('11-21T18:14'), nowMs, 'Asia/Kathmandu')).toBe(0);
  });

  test('the calendar counts the answers of each of the last 84 days', () => {
    const counts = at('11-22T11:59', '11-22T00:00', '11-21T23:45', '08-31T00:00', '08-30T23:45');
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

  test('the forecast has seven days of the time zone, and overdue words today', () => {
    const planned = [
      ['2026-10-01T00:00:00Z', 3],
      ['2026-11-22T10:00:00Z', 2],
      ['2026-11-22T23:00:00Z', 5],
      ['2026-11-28T22:45:00Z', 7],
      ['2026-11-28T23:15:00Z', 9],
    ].map(([due, words]) => ({ dueMs: Date.parse(String(due)), words: Number(words) }));
    const dues = (timeZone: string) => forecastOf(planned, nowMs, timeZone).map(({ due }) => due);
    expect(dues('UTC')).toEqual([10, 0, 0, 0, 0, 0, 16]);
    expect(dues('Europe/Rome')).toEqual([5, 5, 0, 0, 0, 0, 7]);
    expect(forecastOf([], nowMs, 'UTC').map(({ date }) => date)).toEqual(
      [22, 23, 24, 25, 26, 27, 28].map((day) => `2026-11-${day}`),
    );
    expect(forecastEndMs(nowMs)).toBeGreaterThan(Date.parse('2026-11-30T00:00:00Z'));
  });

  test('a streak lasts until today, or until yesterday while today has no answers', () => {
    const streakOf = (...times: string[]) => streakDays(at(...times), nowMs, 'UTC');
    expect(streakOf()).toBe(0);
    expect(streakOf('11-22T01:00')).toBe(1);
    expect(streakOf('11-21T01:00')).toBe(1);
    expect(streakOf('11-20T23:00')).toBe(0);
    const before = ['11-21T20:00', '11-21T01:00', '11-20T01:00', '11-18T01:00'];
    expect(streakOf('11-22T01:00', ...before)).toBe(3);
    expect(streakOf(...before)).toBe(2);
  });

  test.each([
    ['23', '2026-03-30T21:30:00Z', ['03-30T12:00', '03-29T12:00', '03-28T12:00']],
    ['25', '2026-10-26T22:30:00Z', ['10-26T12:00', '10-25T12:00', '10-24T12:00']],
  ])('a day of %s hours counts as a day', (_hours, now, times) => {
    expect(streakDays(at(...times), Date.parse(now), 'Europe/Berlin')).toBe(3);
  });
});
