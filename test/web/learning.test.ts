// The parts of the page about learning that need no browser. [contract 13]
import { describe, expect, it } from 'vitest';
import { monthStarts, mostDue, practiceCount, stagesOf, weeksOf } from '../../src/web/progress/due.ts';

const NOUNS = { sourceLanguage: 'en', targetLanguage: 'it', pos: 'noun', difficulty: 'A1' } as const;
const deck = (due: number, questions = 100) => ({ ...NOUNS, questions, seen: 61, known: 20, due });
const progress = (...decks: ReturnType<typeof deck>[]) => {
  return { dueNow: 0, reviewedToday: 0, streakDays: 0, forecast: [], decks };
};

describe('the learning progress', () => {
  it('offers practice of the deck with the most due words, up to a limit', () => {
    expect(mostDue(progress(deck(0)))).toBeNull();
    expect(mostDue(progress())).toBeNull();
    expect(mostDue(progress(deck(3), deck(7), deck(5)))?.due).toBe(7);
    expect([deck(7), deck(70), deck(7, 4)].map(practiceCount)).toEqual([7, 20, 4]);
  });

  it('has stages: known, being learned, new', () => {
    expect(stagesOf(deck(0))).toEqual({ known: 20, learning: 41, fresh: 39 });
    expect(stagesOf(deck(0, 50)).fresh).toBe(0);
  });
});

describe('the calendar', () => {
  const days = [
    { date: '2026-09-07', answers: 9 },
    { date: '2026-11-22', answers: 30 },
  ];

  it('has twelve weeks, the last of them up to today', () => {
    // 22 November 2026 is a Sunday.
    const weeks = weeksOf({ days }, '2026-11-22', 1);
    expect(weeks.map((week) => week.length)).toEqual(Array(12).fill(7));
    expect(weeks[0]?.[0]).toEqual({ date: '2026-08-31', answers: 0, level: 0 });
    expect(weeks[1]?.[0]).toEqual({ date: '2026-09-07', answers: 9, level: 1 });
    expect(weeks.at(-1)?.at(-1)).toEqual({ date: '2026-11-22', answers: 30, level: 3 });
  });

  it('begins its weeks on the user’s first day of the week', () => {
    const weeks = weeksOf({ days }, '2026-11-22', 7);
    expect(weeks[0]?.[0]?.date).toBe('2026-09-06');
    expect(weeks.at(-1)).toEqual([{ date: '2026-11-22', answers: 30, level: 3 }]);
  });
});

it('a month is named above its first week', () => {
  const named = monthStarts(weeksOf({ days: [] }, '2026-11-22', 1));
  expect(named.flatMap((day, week) => (day ? [[week, day.date]] : []))).toEqual([
    [1, '2026-09-07'],
    [5, '2026-10-05'],
    [9, '2026-11-02'],
  ]);
});
