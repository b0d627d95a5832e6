// From a lobby's events to what the page shows.
import { describe, expect, it } from 'vitest';
import type { LobbyMessage } from '../../src/client/live.ts';
import type { Lobby } from '../../src/lobby/schema.ts';
import type { ServerEvent } from '../../src/realtime/schema.ts';
import { type Countdown, remainingMs } from '../../src/web/clock.ts';
import {
  EMPTY_STATE,
  type GameState,
  nextState,
  phaseOf,
  playsIn,
  withoutOthers,
  withoutTimes,
} from '../../src/web/game-state.ts';
import { placesOf, streakOf } from '../../src/web/standings.ts';

const [ADA, BEN] = ['ada', 'ben'];
const GAME = 'game';
const DURATION_MS = 15_000;

function lobby(change: Partial<Lobby> = {}): Lobby {
  return {
    lobbyId: 'lobby',
    code: 'ABC123',
    status: 'waiting',
    hostId: ADA as string,
    capacity: 8,
    settings: {
      pos: 'noun',
      sourceLanguage: 'en',
      targetLanguage: 'it',
      difficulty: 'A1',
      rounds: 3,
      scoring: 'accuracy',
      ...{ roundMs: 15_000, intermissionMs: 0, hostPlays: true, lateJoin: false },
    },
    players: [],
    locked: false,
    gameId: null,
    createdAt: '2026-11-21T09:30:00.000Z',
    ...change,
  };
}

const state = (change?: Partial<Lobby>): ServerEvent => ({
  type: 'lobby:state',
  seq: 1,
  mark: '',
  lobby: lobby(change),
});

function question(round: number, leftMs = DURATION_MS): ServerEvent {
  return {
    type: 'game:question',
    seq: 2 * round,
    mark: '',
    gameId: GAME,
    round,
    totalRounds: 3,
    question: {
      questionId: `q${round}`,
      prompt: `word ${round}`,
      options: [0, 1, 2, 3].map((optionId) => ({ optionId, text: `text ${optionId}` })),
      commitment: '',
    },
    durationMs: DURATION_MS,
    remainingMs: leftMs,
    // By a clock that nobody here has.
    deadline: '1999-01-01T00:00:00.000Z',
  };
}

const scores = [
  { userId: ADA as string, name: 'Ada', score: 1 },
  { userId: BEN as string, name: 'Ben', score: 0 },
];

function result(round: number, nextInMs = 0, change: object = {}): ServerEvent {
  return {
    type: 'game:answer_result',
    seq: 2 * round + 1,
    mark: '',
    gameId: GAME,
    round,
    questionId: `q${round}`,
    correctOptionId: 2,
    ...{ nonce: '', nextInMs, nextAt: '1999-01-01T00:00:00.000Z', isLast: round === 3 },
    reason: 'all_answered',
    answers: [{ userId: ADA as string, selectedOptionId: 2, isCorrect: true, points: 1 }],
    scores,
    ...change,
  };
}

/** A lobby whose results have five seconds for themselves. */
const calm = (change?: Partial<Lobby>) =>
  state({ settings: { ...lobby().settings, intermissionMs: 5000 }, ...change });

const finished: ServerEvent = {
  type: 'game:finished',
  seq: 9,
  mark: '',
  gameId: GAME,
  scores,
  winnerIds: [ADA as string],
};

/** Events, each with the time of its arrival, or all at 0. */
function stateAfter(...steps: (LobbyMessage | [LobbyMessage, number])[]): GameState {
  return steps.reduce<GameState>((before, step) => {
    const [event, nowMs] = Array.isArray(step) ? step : [step, 0];
    return nextState(before, event, nowMs);
  }, EMPTY_STATE);
}

describe('the screens', () => {
  it.each([
    ['loading', []],
    ['waiting', [state()]],
    ['round', [state(), question(1)]],
    ['judging', [state(), question(1), result(1)]],
    ['round', [state(), question(1), result(1), question(2)]],
    ['finished', [state(), question(3), result(3), finished]],
    ['finished', [state({ status: 'finished' }), finished]],
    ['judging', [state({ status: 'running', gameId: GAME })]],
    ['intermission', [calm(), question(1), result(1, 5000)]],
    ['round', [calm(), question(1), result(1, 5000), question(2)]],
    ['finished', [calm(), question(3), result(3, 5000), finished]],
    ['closed', [state(), { type: 'lobby:kicked', code: 'ABC123' }]],
    [
      'closed',
      [state(), { type: 'lobby:closed', seq: 2, mark: '', code: 'ABC123', reason: 'host_left' }],
    ],
  ] as [string, LobbyMessage[]][])('%s', (phase, events) => {
    expect(phaseOf(stateAfter(...events))).toBe(phase);
  });

  it('[contract 10] the game’s messages say the lobby’s status', () => {
    expect(stateAfter(state(), question(1)).lobby).toMatchObject({
      status: 'running',
      gameId: GAME,
    });
    expect(stateAfter(state(), finished).lobby?.status).toBe('finished');
  });

  it('[contract 11] nothing of a game is left when its lobby is opened again', () => {
    const after = stateAfter(state(), question(3), result(3), finished, state());
    expect(phaseOf(after)).toBe('waiting');
    expect(after).toEqual({ ...EMPTY_STATE, lobby: lobby() });
    const next = nextState(after, question(1), 0);
    expect([phaseOf(next), next.scores, next.resolved]).toEqual(['round', [], []]);
  });

  it('[contract 11] nothing of an old game is left for who has missed the beginning of the next', () => {
    const before = stateAfter(state(), question(3), result(3), finished);
    const next = nextState(before, state({ status: 'running', gameId: 'another' }), 0);
    expect([phaseOf(next), next.scores, next.resolved]).toEqual(['judging', [], []]);
    const asked = nextState(before, { ...question(1), gameId: 'another' } as ServerEvent, 0);
    expect([phaseOf(asked), asked.winnerIds, asked.resolved]).toEqual(['round', null, []]);
  });

  it('[contract 11] tells a host who presents how many have answered, of the open round alone', () => {
    const progress = (round: number): LobbyMessage => ({
      type: 'game:progress',
      ...{ gameId: GAME, round, answered: 3, awaited: 30 },
    });
    expect(stateAfter(state(), question(1), progress(1)).progress).toEqual({
      answered: 3,
      awaited: 30,
    });
    expect(stateAfter(state(), question(2), progress(1)).progress).toBeNull();
    expect(stateAfter(state(), question(1), progress(1), question(2)).progress).toBeNull();
  });

  it('[contract 11] a host who presents does not play, and everybody else does', () => {
    const member = { name: '', isHost: false, connected: true };
    const players = [
      { ...member, userId: ADA as string, plays: false },
      { ...member, userId: BEN as string, plays: true },
    ];
    expect([ADA, BEN].map((id) => playsIn(lobby({ players }), id as string))).toEqual([
      false,
      true,
    ]);
  });

  it('a change of who is connected leaves the round as it is', () => {
    const before = stateAfter(state(), question(1));
    const next = nextState(before, state({ status: 'running', players: [] }), 5);
    expect(next.round).toBe(before.round);
  });
});

describe('the time of a round', () => {
  it('follows remainingMs, whatever the deadline and the time of day', () => {
    const { round } = stateAfter(state(), [question(1, 9000), 1000]);
    expect(round?.countdown && remainingMs(round.countdown, 1000)).toBe(9000);
    expect(round?.countdown && remainingMs(round.countdown, 4000)).toBe(6000);
  });

  it('is set right by a snapshot of the same question', () => {
    const { round } = stateAfter(state(), [question(1, 9000), 1000], [question(1, 2000), 5000]);
    expect(round?.countdown && remainingMs(round.countdown, 5000)).toBe(2000);
  });

  it('is not kept over a reload', () => {
    const kept = withoutTimes(stateAfter(state(), question(1), result(1), question(2)));
    expect(kept.round).toMatchObject({ number: 2, countdown: null });
    expect(kept.revealUntilMs).toBe(0);
  });
});

describe('the result of a round', () => {
  it('has its question, everybody’s answers and the scores', () => {
    const { resolved, scores: shown } = stateAfter(state(), question(1), result(1));
    expect(resolved).toMatchObject([
      { number: 1, question: { prompt: 'word 1' }, correctOptionId: 2, answers: [{ points: 1 }] },
    ]);
    expect(shown).toEqual(scores);
  });

  it('is shown for four seconds of the next round, counted from its opening', () => {
    const { revealUntilMs } = stateAfter(
      state(),
      question(1),
      [result(1), 100],
      [question(2, DURATION_MS - 500), 600],
    );
    expect(revealUntilMs).toBe(100 + 4000);
  });

  it('takes no time from who comes back late in the next round', () => {
    const { revealUntilMs } = stateAfter(
      state(),
      question(1),
      [result(1), 9000],
      [question(2, 3000), 9000],
    );
    expect(revealUntilMs).toBeLessThan(9000);
  });

  it('is shorter where the quick ones get more, and in short rounds', () => {
    const { settings } = lobby();
    const racing = state({ settings: { ...settings, scoring: 'speed' } });
    expect(stateAfter(racing, question(1), result(1), question(2)).revealUntilMs).toBe(2000);
    const short = { ...question(2), durationMs: 1000, remainingMs: 1000 } as ServerEvent;
    expect(stateAfter(state(), question(1), result(1), short).revealUntilMs).toBe(300);
  });

  it('is kept once, though it may arrive after a snapshot that ran ahead of it', () => {
    const ahead = stateAfter(state(), question(1), question(2), result(1), question(2));
    expect(ahead.resolved.map(({ number, question }) => [number, question?.questionId])).toEqual([
      [1, 'q1'],
    ]);
    expect(ahead.round?.number).toBe(2);
    expect(nextState(ahead, result(1), 0).resolved).toHaveLength(1);
  });

  it('is kept over a reload without what others answered, but for the last one', () => {
    const both = {
      answers: [ADA, BEN].map((userId) => ({
        ...{ userId: userId as string, selectedOptionId: 2, isCorrect: true, points: 1 },
      })),
    };
    const after = stateAfter(state(), question(1), result(1, 0, both), result(2, 0, both));
    const kept = withoutOthers(after, BEN as string);
    expect(kept.resolved.map(({ answers }) => answers.map(({ userId }) => userId))).toEqual([
      [BEN],
      [ADA, BEN],
    ]);
  });

  it('does without its question where the page came too late to see it', () => {
    expect(stateAfter(state(), result(2)).resolved[0]?.question).toBeNull();
  });
});

describe('[contract 11] an intermission', () => {
  const leftMs = (countdown: Countdown | null, nowMs: number) =>
    countdown && remainingMs(countdown, nowMs);

  it('gives the result a time of its own, and the next question none of it', () => {
    const shown = stateAfter(calm(), question(1), [result(1, 5000), 1000]);
    expect([shown.round, shown.revealUntilMs]).toEqual([null, 0]);
    expect(leftMs(shown.intermission, 3000)).toBe(3000);
    const next = nextState(shown, question(2), 6000);
    expect([next.intermission, next.revealUntilMs]).toEqual([null, 0]);
  });

  it('is set right by a snapshot, which moves nobody in the standings', () => {
    const leading = { scores: [{ userId: BEN as string, name: 'Ben', score: 9 }] };
    const shown = stateAfter(
      ...[calm(), question(1), result(1, 5000, leading), question(2)],
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

  it('which is over when it is heard of takes no time from the open round', () => {
    const late = stateAfter(calm(), question(1), [result(1), 9000], [question(2, 3000), 9000]);
    expect([late.intermission, late.revealUntilMs]).toEqual([null, 0]);
  });

  it('is left out by a host who ends the game: the result is shown before the podium', () => {
    const ended = stateAfter(calm(), question(1), [result(1, 0, { isLast: true }), 100], finished);
    expect(ended.revealUntilMs).toBe(100 + 4000);
    expect(ended.resolved.at(-1)?.isLast).toBe(true);
  });

  it('is not kept over a reload', () => {
    const kept = withoutTimes(stateAfter(calm(), question(1), result(1, 5000)));
    expect(kept.intermission).toBeNull();
  });
});

describe('places', () => {
  it('say who has climbed and who has fallen since the last round', () => {
    const standing = (...ids: string[]) =>
      ids.map((userId, index) => ({ userId, name: userId, score: 10 - index }));
    const moved = placesOf(standing('c', 'a', 'b', 'new'), standing('a', 'b', 'c'));
    expect(moved.map(({ climbed }) => climbed)).toEqual([2, -1, -1, 0]);
    expect(placesOf(standing('a', 'b')).map(({ climbed }) => climbed)).toEqual([0, 0]);
  });

  it('come with a streak, which a wrong answer and a missed round end', () => {
    const rounds = (...rights: boolean[]) =>
      rights.map((isCorrect) => ({ answers: [{ userId: ADA as string, isCorrect }] }));
    const streak = (...rights: boolean[]) => streakOf(rounds(...rights) as never, ADA as string);
    expect([streak(), streak(true, true), streak(true, false, true), streak(false)]).toEqual([
      0, 2, 1, 0,
    ]);
    expect(streakOf([...rounds(true), { answers: [] }] as never, ADA as string)).toBe(0);
  });

  it('are shared on a tie, and the next one is left out', () => {
    const tied = [3, 3, 1, 0, 0].map((score, i) => ({ userId: `u${i}`, name: `U${i}`, score }));
    expect(placesOf(tied).map(({ place }) => place)).toEqual([1, 1, 3, 4, 4]);
  });
});
