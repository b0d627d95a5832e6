// The state machine of a game as a table: how each phase ends for each reason, and what follows. [contract 11]
import { describe, expect, it } from 'vitest';
import { endOfPhase, type Match } from '../../src/match/rules.ts';
import { matchOf, OPENED_AT_MS } from '../support/matches.ts';

const PAUSE_MS = 5000;
const BEFORE_THE_DEADLINE = OPENED_AT_MS + 1000;

/** Ada answers correctly in the first of two rounds; Ben does not answer. */
function round(change: Partial<Match>, intermissionMs = 0, rounds = 2): Match {
  const part = { left: false, totals: null };
  const parts = [
    { ...part, userId: 'ada', name: 'Ada', answer: { optionId: 3, elapsedMs: 10 } },
    { ...part, userId: 'ben', name: 'Ben', answer: null },
  ];
  const match = matchOf(parts, [3, 1].slice(0, rounds), 0, 'accuracy');
  return { ...match, settings: { ...match.settings, intermissionMs }, ...change };
}

const GONE = ['ada', 'ben'].map((userId) => ({ userId, name: userId, left: true }));
const BEN_GONE = [
  { userId: 'ada', name: 'Ada', left: false },
  { userId: 'ben', name: 'Ben', left: true },
];

const paused = (change: Partial<Match>, rounds?: number) => round(change, PAUSE_MS, rounds);
const pause = (change: Partial<Match>, rounds?: number) => paused({ status: 'intermission', ...change }, rounds);

const BOTH = ['ada', 'ben'];
const REASONS = ['all_answered', 'skipped', 'player_left'] as const;
const [answered, skipped, left] = REASONS.map((complete) => ({ complete }));
const overdue = { deadlineMs: BEFORE_THE_DEADLINE };
const ending = { isEnding: true };

/** A phase, why it ends, what follows, and the users whose answers the result lists, if there is one. */
type Row = [name: string, match: Match, reason: string, next: string, judged?: string[]];
const TABLE: Row[] = [
  ['a round that all have answered', round({ ...answered }), 'all_answered', 'question', BOTH],
  ['one before an intermission', paused({ ...answered }), 'all_answered', 'intermission', BOTH],
  ['a round that the host skips', paused({ ...skipped }), 'skipped', 'intermission', BOTH],
  ['one whose last awaited leaves', paused({ ...left, players: BEN_GONE }), 'player_left', 'intermission', ['ada']],
  ['one that everybody leaves', paused({ ...left, players: GONE }), 'player_left', 'finishing', []],
  ['one that the host ends with the game', paused({ ...skipped, ...ending }), 'skipped', 'finishing', BOTH],
  ['one that was over when the host did so', paused({ ...answered, ...ending }), 'all_answered', 'finishing', BOTH],
  ['one that was overdue when the host did so', paused({ ...overdue, ...ending }), 'timeout', 'finishing', BOTH],
  ['a round at its deadline', paused(overdue), 'timeout', 'intermission', BOTH],
  ['the last one before an intermission', paused({ ...answered }, 1), 'all_answered', 'last intermission', BOTH],
  ['the last one', round({ ...answered }, 0, 1), 'all_answered', 'finishing', BOTH],
  ['an intermission at its deadline', pause(overdue), 'timeout', 'question'],
  ['an intermission that the host ends', pause({ ...skipped }), 'skipped', 'question'],
  ['the last intermission', pause({ ...skipped }, 1), 'skipped', 'finishing'],
  ['one in which the host ends the game', pause({ ...skipped, ...ending }), 'skipped', 'finishing'],
  ['one that everybody leaves', pause({ ...left, players: GONE }), 'player_left', 'finishing'],
  ['one to which somebody comes back after that', pause({ ...left, players: BEN_GONE }), 'player_left', 'finishing'],
];

describe('the end of a phase', () => {
  it.each(TABLE)('%s', (_, match, reason, next, judged) => {
    const end = endOfPhase(match, BEFORE_THE_DEADLINE);
    expect(end).toMatchObject({ reason, isLast: /last|finishing/.test(next) });
    expect(end?.judged?.answers.map(({ userId }) => userId) ?? null).toEqual(judged ?? null);
    expect(end?.next).toEqual(
      {
        question: { status: 'open', question: match.nextQuestion },
        intermission: { status: 'intermission', durationMs: PAUSE_MS },
        finishing: { status: 'finishing' },
      }[next.split(' ').at(-1) as string],
    );
  });

  it.each([
    ['an open round', round({ deadlineMs: BEFORE_THE_DEADLINE + 1 })],
    ['an intermission', pause({})],
    ['a game whose result is not stored yet', round({ status: 'finishing', complete: 'skipped' })],
    ['a finished game', round({ status: 'finished', deadlineMs: 0 })],
  ])('%s does not end before its deadline', (_, match) => {
    expect(endOfPhase(match, BEFORE_THE_DEADLINE)).toBeNull();
  });
});

describe('a streak of right answers under `streak`', () => {
  const streak = 4;
  const totals = { ada: { score: 0, correct: 4, streak }, ben: { score: 0, correct: 4, streak } };
  const judge = (change: Partial<Match>) => {
    const match = round({ complete: 'skipped', totals, ...change });
    const settings = { ...match.settings, scoring: 'streak' as const };
    return endOfPhase({ ...match, settings }, BEFORE_THE_DEADLINE)?.judged;
  };

  it('continues with a right answer, and ends with a wrong, missing or skipped one, or a missed round', () => {
    expect(judge({})?.totals).toMatchObject({ ada: { streak: 5 }, ben: { streak: 0 } });
    const wrong = new Map([['ada', { optionId: 0, elapsedMs: 1 }]]);
    expect(judge({ answers: wrong })?.totals).toMatchObject({ ada: { streak: 0 } });
    expect(judge({ players: BEN_GONE })?.totals).toMatchObject({ ben: { correct: 4, streak: 0 } });
  });

  it('gives 100 points for each right answer before the current one', () => {
    const [ada] = judge({})?.answers ?? [];
    expect(ada?.points).toBe(Math.round(1000 * (1 - 10 / 30_000)) + 400);
  });
});
