// The rules of a game as properties of all possible games.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { roundOfRecord } from '../../src/match/round-record.ts';
import {
  afterEnd,
  judgeRound,
  type Match,
  type MatchPlayer,
  openQuestion,
  type PhaseEnd,
  type PlayerTotals,
  rank,
  readMsOf,
  resultOf,
  revealed,
  type StoredAnswer,
} from '../../src/match/rules.ts';
import { GameSummary, JudgedAnswer } from '../../src/match/schema.ts';
import { correctOptionOf } from '../support/game.ts';
import { matchOf, OPENED_AT_MS, type PlayerState, recordOf } from '../support/matches.ts';

const optionOf = (given: StoredAnswer | undefined) => (given && 'optionId' in given ? given.optionId : null);

const RUNS = { numRuns: 500, seed: 20_261_121 };

const PARTS = fc.uniqueArray(
  fc.record<PlayerState>({
    userId: fc.uuid(),
    name: fc.string({ minLength: 1, maxLength: 8 }),
    left: fc.boolean(),
    answer: fc.option(fc.record({ optionId: fc.nat({ max: 3 }), elapsedMs: fc.nat({ max: 15_000 }) })),
    // Null stands for a player who has joined in this round.
    totals: fc.option(
      fc.record({ score: fc.nat({ max: 3000 }), correct: fc.nat({ max: 3 }), streak: fc.nat({ max: 3 }) }),
    ),
  }),
  { minLength: 1, maxLength: 8, selector: ({ userId }) => userId },
);

const KEYS = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 5 });

/** A match with an open round. It is frozen, since rules must not change it. */
const MATCHES: fc.Arbitrary<Match> = fc
  .record({ parts: PARTS, keys: KEYS, round: fc.nat(), scoring: fc.constantFrom('accuracy', 'speed') })
  .map(({ parts, keys, round, scoring }) => freeze(matchOf(parts, keys, round, scoring)));

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}

/** Checks a property for every match. */
const always = (check: (match: Match) => void) => fc.assert(fc.property(MATCHES, check), RUNS);

const staying = (match: Match): MatchPlayer[] => match.players.filter((player) => !player.left);
const totalsOf = (match: Match, userId: string): PlayerTotals =>
  match.totals[userId] ?? { score: 0, correct: 0, streak: 0 };

describe('the judgement of a round', () => {
  it('has the option of each player who has not left, null for none, and whether it was right', () => {
    always((match) => {
      const correctOptionId = correctOptionOf(openQuestion(match));
      const { answers } = judgeRound(match);
      expect(answers.map(({ userId }) => userId)).toEqual(staying(match).map(({ userId }) => userId));
      for (const answer of answers) {
        const { userId, selectedOptionId, isCorrect, points } = JudgedAnswer.parse(answer);
        expect(selectedOptionId).toBe(optionOf(match.answers.get(userId)));
        expect(isCorrect).toBe(selectedOptionId === correctOptionId);
        expect(points > 0).toBe(isCorrect);
      }
    });
  });

  it('adds the points of every accepted answer, also if its player has left', () => {
    always((match) => {
      const stayed = { ...match, players: match.players.map((p) => ({ ...p, left: false })) };
      const { answers } = judgeRound(stayed);
      const { totals } = judgeRound(match);
      for (const { userId, isCorrect, points } of answers) {
        const before = totalsOf(match, userId);
        expect(totals[userId] ?? { score: 0, correct: 0 }).toMatchObject({
          score: before.score + points,
          correct: before.correct + (isCorrect ? 1 : 0),
        });
      }
    });
  });

  it('is stored with its question, every accepted answer and its time, also if its player has left', () => {
    always((match) => {
      const { answers } = judgeRound(match);
      const record = recordOf(match, 'skipped', answers, OPENED_AT_MS);
      expect(record.judgedAt).toBe(new Date(OPENED_AT_MS).toISOString());
      const userIds = match.players.map(({ userId }) => userId);
      const { question, nonce, ...solution } = openQuestion(match);
      const timeOf = (userId: string) => match.answers.get(userId)?.elapsedMs ?? null;
      expect(roundOfRecord(record, userIds)).toEqual({
        ...question,
        ...solution,
        nonce,
        round: match.round,
        reason: 'skipped',
        answers: answers.map((answer) => ({ ...answer, elapsedMs: timeOf(answer.userId) })),
      });
      const judged = new Set(answers.map(({ userId }) => userId));
      const departed = [...match.answers].filter(([userId]) => !judged.has(userId));
      expect(new Map(record.departedAnswers)).toEqual(
        new Map(departed.map(([userId, given]) => [userIds.indexOf(userId), optionOf(given)])),
      );
    });
  });
});

it('the result of a game has all players, the highest score first and equal ones in the order of joining, the winners, and its times', () => {
  always((match) => {
    const result = GameSummary.parse(resultOf({ ...match, status: 'finishing', finishedAtMs: OPENED_AT_MS }));
    const scores = match.players.map(({ userId, name }) => {
      const { score, correct } = totalsOf(match, userId);
      return { userId, name, score, correct };
    });
    scores.sort((a, b) => b.score - a.score);
    expect(result.scores).toEqual(scores);
    const best = Math.max(...scores.map(({ score }) => score));
    expect(result.winnerIds).toEqual(scores.filter(({ score }) => score === best).map(({ userId }) => userId));
    expect(result.startedAt).toBe(new Date(match.startedAtMs).toISOString());
    expect(result.finishedAt).toBe(new Date(OPENED_AT_MS).toISOString());
    const { scores: ofRound, totals } = judgeRound(match);
    expect(ofRound).toEqual(rank(match.players, totals));
  });
});

it.each([
  [2000, 1, 5000],
  [2000, 2, 2000],
  [0, 1, 0],
])('[contract 22] a question is read, with %i ms of reading, in round %i, for %i ms', (readMs, round, expected) => {
  expect(readMsOf({ readMs }, round)).toBe(expected);
});

describe('a typed round [contract 20]', () => {
  const verdicts = ['right', 'close', 'wrong'] as const;
  const part = { name: 'Ada', left: false, totals: null, answer: null };
  const parts = [...verdicts, null].map((verdict) => ({ ...part, userId: `${verdict}` }));
  const chosen = matchOf(parts, [0], 0, 'accuracy');
  const { question, nonce } = openQuestion(chosen);
  const typed: Match = {
    ...chosen,
    question: { question, nonce, accepted: ['gatto', 'micio'] } as Match['question'],
    answers: new Map(verdicts.map((verdict) => [verdict, { text: 'gatto', verdict, elapsedMs: 1 }])),
  };

  it('lists each verdict, and counts every one but `wrong`', () => {
    expect(judgeRound(typed).answers).toEqual([
      { userId: 'right', verdict: 'right', isCorrect: true, points: 1 },
      { userId: 'close', verdict: 'close', isCorrect: true, points: 1 },
      { userId: 'wrong', verdict: 'wrong', isCorrect: false, points: 0 },
      { userId: 'null', verdict: null, isCorrect: false, points: 0 },
    ]);
  });

  it('reveals the text and all accepted ones; a choice reveals its option', () => {
    expect(revealed(openQuestion(typed))).toEqual({ correctText: 'gatto', accepted: ['gatto', 'micio'], nonce });
    expect(revealed(openQuestion(chosen))).toEqual({ correctOptionId: 0, nonce });
  });

  it('ends the game with its totals, or with the earlier ones where nothing was judged', () => {
    const judged = judgeRound(typed);
    const end = { judged } as PhaseEnd;
    const finishing = { status: 'finishing', finishedAtMs: 7 };
    expect(afterEnd(typed, end, 7)).toEqual({ ...typed, totals: judged.totals, ...finishing });
    expect(afterEnd(typed, { ...end, judged: null }, 7)).toEqual({ ...typed, ...finishing });
  });
});
