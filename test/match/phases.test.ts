// The state machine of a game as a table: how each phase ends for each reason, and what follows. [contract
// 11]
import { describe, expect, it } from 'vitest';
import { roundOfRecord } from '../../src/match/round-record.ts';
import { endOfPhase, type Match } from '../../src/match/rules.ts';
import { matchOf, OPENED_AT_MS, recordOf } from '../support/matches.ts';

const PAUSE_MS = 5000;
const BEFORE_THE_DEADLINE = OPENED_AT_MS + 1000;

/** Ada answers correctly in the first of two rounds; Ben does not answer. */
function game(change: Partial<Match> = {}, intermissionMs = 0, rounds = 2): Match {
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

interface Row {
  match: Match;
  reason: string;
  /** The users whose answers the result lists; null if there is no result. */
  judged: string[] | null;
  next: 'question' | 'intermission' | 'finishing';
  isLast: boolean;
}

const round = (change: Partial<Match>, intermissionMs = 0, rounds = 2) => game(change, intermissionMs, rounds);
const pause = (change: Partial<Match>, rounds = 2) => game({ status: 'intermission', ...change }, PAUSE_MS, rounds);

const BOTH = ['ada', 'ben'];
const TABLE: Record<string, Row> = {
  'a round that all have answered, without intermissions': {
    match: round({ complete: 'all_answered' }),
    reason: 'all_answered',
    judged: BOTH,
    next: 'question',
    isLast: false,
  },
  'a round that all have answered, with intermissions': {
    match: round({ complete: 'all_answered' }, PAUSE_MS),
    reason: 'all_answered',
    judged: BOTH,
    next: 'intermission',
    isLast: false,
  },
  'a round that the host skips': {
    match: round({ complete: 'skipped' }, PAUSE_MS),
    reason: 'skipped',
    judged: BOTH,
    next: 'intermission',
    isLast: false,
  },
  'a round that the host skips, without intermissions': {
    match: round({ complete: 'skipped' }),
    reason: 'skipped',
    judged: BOTH,
    next: 'question',
    isLast: false,
  },
  'a round whose last awaited player leaves': {
    match: round({ complete: 'player_left', players: BEN_GONE }, PAUSE_MS),
    reason: 'player_left',
    judged: ['ada'],
    next: 'intermission',
    isLast: false,
  },
  'a round that everybody leaves': {
    match: round({ complete: 'player_left', players: GONE }, PAUSE_MS),
    reason: 'player_left',
    judged: [],
    next: 'finishing',
    isLast: true,
  },
  'a round that the host ends with the game': {
    match: round({ complete: 'skipped', isEnding: true }, PAUSE_MS),
    reason: 'skipped',
    judged: BOTH,
    next: 'finishing',
    isLast: true,
  },
  'a round that was over already when the host ended the game': {
    match: round({ complete: 'all_answered', isEnding: true }, PAUSE_MS),
    reason: 'all_answered',
    judged: BOTH,
    next: 'finishing',
    isLast: true,
  },
  'a round that was overdue already when the host ended the game': {
    match: round({ isEnding: true, deadlineMs: BEFORE_THE_DEADLINE }, PAUSE_MS),
    reason: 'timeout',
    judged: BOTH,
    next: 'finishing',
    isLast: true,
  },
  'a round at its deadline': {
    match: round({ deadlineMs: BEFORE_THE_DEADLINE }, PAUSE_MS),
    reason: 'timeout',
    judged: BOTH,
    next: 'intermission',
    isLast: false,
  },
  'the last round, with intermissions': {
    match: round({ complete: 'all_answered' }, PAUSE_MS, 1),
    reason: 'all_answered',
    judged: BOTH,
    next: 'intermission',
    isLast: true,
  },
  'the last round, without intermissions': {
    match: round({ complete: 'all_answered' }, 0, 1),
    reason: 'all_answered',
    judged: BOTH,
    next: 'finishing',
    isLast: true,
  },
  'an intermission at its deadline': {
    match: pause({ deadlineMs: BEFORE_THE_DEADLINE }),
    reason: 'timeout',
    judged: null,
    next: 'question',
    isLast: false,
  },
  'an intermission that the host ends': {
    match: pause({ complete: 'skipped' }),
    reason: 'skipped',
    judged: null,
    next: 'question',
    isLast: false,
  },
  'the last intermission': {
    match: pause({ complete: 'skipped' }, 1),
    reason: 'skipped',
    judged: null,
    next: 'finishing',
    isLast: true,
  },
  'an intermission in which the host ends the game': {
    match: pause({ complete: 'skipped', isEnding: true }),
    reason: 'skipped',
    judged: null,
    next: 'finishing',
    isLast: true,
  },
  'an intermission that everybody leaves': {
    match: pause({ complete: 'player_left', players: GONE }),
    reason: 'player_left',
    judged: null,
    next: 'finishing',
    isLast: true,
  },
  'an intermission that everybody leaves, and one comes back before anybody looks': {
    match: pause({ complete: 'player_left', players: BEN_GONE }),
    reason: 'player_left',
    judged: null,
    next: 'finishing',
    isLast: true,
  },
};

describe('the end of a phase', () => {
  it.each(Object.entries(TABLE))('%s', (_, { match, reason, judged, next, isLast }) => {
    const end = endOfPhase(match, BEFORE_THE_DEADLINE);
    expect(end).toMatchObject({ reason, isLast });
    expect(end?.judged?.answers.map(({ userId }) => userId) ?? null).toEqual(judged);
    expect(end?.next).toEqual(
      {
        question: { status: 'open', question: match.nextQuestion },
        intermission: { status: 'intermission', durationMs: PAUSE_MS },
        finishing: { status: 'finishing' },
      }[next],
    );
  });

  it.each([
    ['an open round', round({})],
    ['an intermission', pause({})],
    ['a game whose result is not stored yet', game({ status: 'finishing', complete: 'skipped' })],
    ['a finished game', game({ status: 'finished', deadlineMs: 0 })],
  ])('%s does not end before its deadline', (_, match) => {
    expect(endOfPhase(match, BEFORE_THE_DEADLINE)).toBeNull();
  });
});

describe('a round in the stored result', () => {
  it('has the question with its commitment, the reason of its end, and the time of each answer', () => {
    const match = round({ complete: 'skipped' });
    const answers = endOfPhase(match, BEFORE_THE_DEADLINE)?.judged?.answers ?? [];
    const record = recordOf(match, 'skipped', answers, 1_795_000_000_000);
    expect(record.judgedAt).toBe(new Date(1_795_000_000_000).toISOString());
    expect(roundOfRecord(record, ['ada', 'ben'])).toEqual({
      ...match.question?.question,
      round: 1,
      correctOptionId: 3,
      nonce: match.question?.nonce,
      reason: 'skipped',
      answers: [
        { userId: 'ada', selectedOptionId: 3, isCorrect: true, points: 1, elapsedMs: 10 },
        { userId: 'ben', selectedOptionId: null, isCorrect: false, points: 0, elapsedMs: null },
      ],
    });
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

  it('continues with a right answer, and ends with a wrong, missing or skipped one', () => {
    expect(judge({})?.totals).toMatchObject({ ada: { streak: 5 }, ben: { streak: 0 } });
    const wrong = new Map([['ada', { optionId: 0, elapsedMs: 1 }]]);
    expect(judge({ answers: wrong })?.totals).toMatchObject({ ada: { streak: 0 } });
  });

  it('ends with a round that the player missed', () => {
    expect(judge({ players: BEN_GONE })?.totals).toMatchObject({ ben: { correct: 4, streak: 0 } });
  });

  it('gives 100 points for each right answer before the current one', () => {
    const [ada] = judge({})?.answers ?? [];
    expect(ada?.points).toBe(Math.round(1000 * (1 - 10 / 30_000)) + 400);
  });
});
