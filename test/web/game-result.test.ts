// How the page derives results, intermissions and places from a lobby's events.
import { describe, expect, it } from 'vitest';
import type { ServerEvent } from '../../src/realtime/schema.ts';
import { type Countdown, remainingMs } from '../../src/web/game/clock.ts';
import { nextState, withoutOthers, withoutTimes } from '../../src/web/game/game-state.ts';
import { rankScores, streakOf } from '../../src/web/game/ranking.ts';
import {
  ADA,
  BEN,
  DURATION_MS,
  finished,
  lobby,
  question,
  result,
  scores,
  state,
  stateAfter,
  stateWithIntermissions,
} from '../support/game-events.ts';

type MessageOf<T extends ServerEvent['type']> = Extract<ServerEvent, { type: T }>;

describe('the result of a round', () => {
  it('has the question, all answers and the scores', () => {
    const { resolved, scores: shown } = stateAfter(state(), question(1), result(1));
    expect(resolved).toMatchObject([
      { number: 1, question: { prompt: 'word 1' }, correctOptionId: 2, answers: [{ points: 1 }] },
    ]);
    expect(shown).toEqual(scores);
  });

  it('counts verdicts where answers are typed, and has the accepted texts', () => {
    const { correctOptionId: _none, ...chosen } = result(1) as MessageOf<'game:answer_result'>;
    const answers = (['right', 'wrong', null] as const).map((verdict, at) => ({
      userId: `u${at}`,
      verdict,
      isCorrect: verdict === 'right',
      points: 0,
    }));
    const typed = { ...chosen, answers, correctText: 'casa', accepted: ['casa', 'dimora'] };
    expect(stateAfter(state(), question(1), typed).resolved).toMatchObject([
      { correctText: 'casa', accepted: ['casa', 'dimora'], counts: { none: 1, correct: 1 } },
    ]);
  });

  it('is shown during the first four seconds of the next round', () => {
    const { revealUntilMs } = stateAfter(state(), question(1), [result(1), 100], [question(2, DURATION_MS - 500), 600]);
    expect(revealUntilMs).toBe(100 + 4000);
  });

  it('is not shown to a client that reconnects late in the next round', () => {
    const { revealUntilMs } = stateAfter(state(), question(1), [result(1), 9000], [question(2, 3000), 9000]);
    expect(revealUntilMs).toBeLessThan(9000);
  });

  it('is shown for a shorter time under `speed` and in short rounds', () => {
    const { settings } = lobby();
    const racing = state({ settings: { ...settings, scoring: 'speed' } });
    expect(stateAfter(racing, question(1), result(1), question(2)).revealUntilMs).toBe(2000);
    const short = { ...question(2), durationMs: 1000, remainingMs: 1000 } as ServerEvent;
    expect(stateAfter(state(), question(1), result(1), short).revealUntilMs).toBe(300);
  });

  it('is stored once, even if it arrives after a snapshot that is ahead of it', () => {
    const ahead = stateAfter(state(), question(1), question(2), result(1), question(2));
    expect(ahead.resolved.map(({ number, question }) => [number, question?.questionId])).toEqual([[1, 'q1']]);
    expect(ahead.round?.number).toBe(2);
    expect(nextState(ahead, result(1), 0).resolved).toHaveLength(1);
  });

  it('is stored over a reload without the answers of others, except for the last one', () => {
    const both = {
      answers: [ADA, BEN].map((userId) => ({
        userId: userId as string,
        selectedOptionId: 2,
        isCorrect: true,
        points: 1,
      })),
    };
    const after = stateAfter(state(), question(1), result(1, 0, both), result(2, 0, both));
    const kept = withoutOthers(after, BEN as string);
    expect(kept.resolved.map(({ answers }) => answers.map(({ userId }) => userId))).toEqual([[BEN], [ADA, BEN]]);
  });

  it('has no question if the page was opened too late to receive it', () => {
    expect(stateAfter(state(), result(2)).resolved[0]?.question).toBeNull();
  });
});

describe('[contract 11] an intermission', () => {
  const leftMs = (countdown: Countdown | null, nowMs: number) => countdown && remainingMs(countdown, nowMs);

  it('shows the result for its duration, and takes no time from the next question', () => {
    const shown = stateAfter(stateWithIntermissions(), question(1), [result(1, 5000), 1000]);
    expect([shown.round, shown.revealUntilMs]).toEqual([null, 0]);
    expect(leftMs(shown.intermission, 3000)).toBe(3000);
    const next = nextState(shown, question(2), 6000);
    expect([next.intermission, next.revealUntilMs]).toEqual([null, 0]);
  });

  it('is corrected by a snapshot, which does not change the ranking', () => {
    const leading = { scores: [{ userId: BEN as string, name: 'Ben', score: 9 }] };
    const shown = stateAfter(
      stateWithIntermissions(),
      question(1),
      result(1, 5000, leading),
      question(2),
      ...([
        [result(2, 5000), 0],
        [result(2, 2000), 1000],
      ] as [ServerEvent, number][]),
    );
    expect(leftMs(shown.intermission, 1000)).toBe(2000);
    expect(shown.intermission?.durationMs).toBe(5000);
    expect(shown.scoresBefore).toEqual(leading.scores);
    expect(shown.scores).toEqual(scores);
  });

  it('takes no time from the open round if it is over when its message arrives', () => {
    const late = stateAfter(stateWithIntermissions(), question(1), [result(1), 9000], [question(2, 3000), 9000]);
    expect([late.intermission, late.revealUntilMs]).toEqual([null, 0]);
  });

  it('is skipped by a host who ends the game: the result is shown before the podium', () => {
    const ended = stateAfter(stateWithIntermissions(), question(1), [result(1, 0, { isLast: true }), 100], finished);
    expect(ended.revealUntilMs).toBe(100 + 4000);
    expect(ended.resolved.at(-1)?.isLast).toBe(true);
  });

  it('is not stored over a reload', () => {
    const kept = withoutTimes(stateAfter(stateWithIntermissions(), question(1), result(1, 5000)));
    expect(kept.intermission).toBeNull();
  });
});

describe('places', () => {
  it('include who has climbed and who has fallen since the last round', () => {
    const standing = (...ids: string[]) => ids.map((userId, index) => ({ userId, name: userId, score: 10 - index }));
    const moved = rankScores(standing('c', 'a', 'b', 'new'), standing('a', 'b', 'c'));
    expect(moved.map(({ placesGained }) => placesGained)).toEqual([2, -1, -1, 0]);
    expect(rankScores(standing('a', 'b')).map(({ placesGained }) => placesGained)).toEqual([0, 0]);
  });

  it('include a streak, which ends with a wrong answer or a missed round', () => {
    const rounds = (...rights: boolean[]) =>
      rights.map((isCorrect) => ({ answers: [{ userId: ADA as string, isCorrect }] }));
    const streak = (...rights: boolean[]) => streakOf(rounds(...rights) as never, ADA as string);
    expect([streak(), streak(true, true), streak(true, false, true), streak(false)]).toEqual([0, 2, 1, 0]);
    expect(streakOf([...rounds(true), { answers: [] }] as never, ADA as string)).toBe(0);
  });

  it('are shared on a tie, and the following one is left out', () => {
    const tied = [3, 3, 1, 0, 0].map((score, i) => ({ userId: `u${i}`, name: `U${i}`, score }));
    expect(rankScores(tied).map(({ place }) => place)).toEqual([1, 1, 3, 4, 4]);
  });
});
