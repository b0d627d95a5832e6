// How the page derives its state, results, intermissions and places from a lobby's events.
import { describe, expect, it } from 'vitest';
import type { LobbyMessage } from '../../src/client/live.ts';
import { LOBBY_EXAMPLE, type Lobby } from '../../src/lobby/schema.ts';
import type { ServerEvent } from '../../src/realtime/schema.ts';
import { type Countdown, remainingMs } from '../../src/web/game/clock.ts';
import {
  EMPTY_STATE,
  type GameState,
  nextState,
  phaseOf,
  playersIn,
  playsIn,
  withoutOthers,
  withoutTimes,
} from '../../src/web/game/game-state.ts';
import { rankScores, streakOf } from '../../src/web/game/ranking.ts';
import { questionOf } from './questions.ts';

describe('the screen', () => {
  it.each([
    ['loading', []],
    ['waiting', [state()]],
    ['round', [state(), question(1)]],
    ['judging', [state(), question(1), result(1)]],
    ['round', [state(), question(1), result(1), question(2)]],
    ['finished', [state(), question(3), result(3), finished]],
    ['finished', [state({ status: 'finished' }), finished]],
    ['judging', [state({ status: 'running', gameId: GAME })]],
    ['intermission', [stateWithIntermissions(), question(1), result(1, 5000)]],
    ['round', [stateWithIntermissions(), question(1), result(1, 5000), question(2)]],
    ['finished', [stateWithIntermissions(), question(3), result(3, 5000), finished]],
    ['closed', [state(), { type: 'lobby:kicked', code: 'ABC123' }]],
    ['closed', [state(), { type: 'lobby:closed', seq: 2, mark: '', code: 'ABC123', reason: 'host_left' }]],
  ] as [string, LobbyMessage[]][])('%s', (phase, events) => {
    expect(phaseOf(stateAfter(...events))).toBe(phase);
  });

  it('[contract 10] messages of the game set the lobby’s status', () => {
    expect(stateAfter(state(), question(1)).lobby).toMatchObject({ status: 'running', gameId: GAME });
    expect(stateAfter(state(), finished).lobby?.status).toBe('finished');
  });

  it('[contract 11] the state of a game is reset when its lobby is reopened', () => {
    const after = stateAfter(state(), question(3), result(3), finished, state());
    expect(phaseOf(after)).toBe('waiting');
    expect(after).toEqual({ ...EMPTY_STATE, lobby: lobby() });
    const next = nextState(after, question(1), 0);
    expect([phaseOf(next), next.scores, next.resolved]).toEqual(['round', [], []]);
  });

  it('[contract 11] the state of an old game is reset for a client that has missed the start of the next', () => {
    const before = stateAfter(state(), question(3), result(3), finished);
    const next = nextState(before, state({ status: 'running', gameId: 'another' }), 0);
    expect([phaseOf(next), next.scores, next.resolved]).toEqual(['judging', [], []]);
    const afterQuestion = nextState(before, { ...question(1), gameId: 'another' } as ServerEvent, 0);
    expect([phaseOf(afterQuestion), afterQuestion.winnerIds, afterQuestion.resolved]).toEqual(['round', null, []]);
  });

  it('[contract 11] the progress that a presenting host sees is that of the open round only', () => {
    const counts = { answered: 3, awaited: 30 };
    const progress = (round: number): LobbyMessage => ({ type: 'game:progress', gameId: GAME, round, ...counts });
    expect(stateAfter(state(), question(1), progress(1)).progress).toEqual(counts);
    expect(stateAfter(state(), question(2), progress(1)).progress).toBeNull();
    expect(stateAfter(state(), question(1), progress(1), question(2)).progress).toBeNull();
  });

  it('[contract 11] a presenting host does not play, and everybody else does', () => {
    const players = [ADA, BEN].map((userId) => ({ ...OWN, userId, plays: userId !== ADA }));
    expect([ADA, BEN].map((id) => playsIn(lobby({ players }), id))).toEqual([false, true]);
  });

  it('a change of the connected players does not change the round', () => {
    const before = stateAfter(state(), question(1));
    const next = nextState(before, state({ status: 'running', gameId: GAME, players: [] }), 5);
    expect(next.round).toBe(before.round);
  });
});

describe('the time of a round', () => {
  it('follows remainingMs, whatever the deadline and the local time, and a snapshot corrects it', () => {
    const after = stateAfter(state(), [question(1, 9000), 1000]);
    expect([1000, 4000].map((nowMs) => leftMs(after.round?.countdown, nowMs))).toEqual([9000, 6000]);
    const corrected = nextState(after, question(1, 2000), 5000);
    expect(leftMs(corrected.round?.countdown, 5000)).toBe(2000);
  });

  it('[contract 22] begins when the question can be answered; after a reload that is unknown at first', () => {
    const reading = { ...question(1, 20_000), opensInMs: 1500 } as LobbyMessage;
    const waiting = state({ settings: { ...lobby().settings, readMs: 1500 } });
    const after = stateAfter(waiting, [reading, 1000]);
    expect(after.round?.opensAtMs).toBe(2500);
    expect(withoutTimes(after).round?.opensAtMs).toBeNull();
    expect(withoutTimes(stateAfter(state(), question(1))).round?.opensAtMs).toBe(0);
  });

  it('is not stored over a reload, nor is that of an intermission', () => {
    const kept = withoutTimes(stateAfter(state(), question(1), result(1), question(2)));
    expect(kept.round).toMatchObject({ number: 2, countdown: null });
    expect(kept.revealUntilMs).toBe(0);
    expect(withoutTimes(stateAfter(stateWithIntermissions(), question(1), result(1, 5000))).intermission).toBeNull();
  });
});

describe('the result of a round', () => {
  it('has the question, all answers and the scores', () => {
    const { resolved, scores: shown } = stateAfter(state(), question(1), result(1));
    const judged = { number: 1, question: { prompt: 'word 1' }, correctOptionId: 2, answers: [{ points: 1 }] };
    expect(resolved).toMatchObject([judged]);
    expect(shown).toEqual(scores);
  });

  it('counts verdicts where answers are typed, and has the accepted texts', () => {
    const answers = ['right', 'wrong', null].map((verdict, at) => {
      return { userId: `u${at}`, verdict, isCorrect: verdict === 'right', points: 0 };
    });
    const solution = { correctText: 'casa', accepted: ['casa', 'dimora'] };
    const typed = result(1, 0, { correctOptionId: undefined, answers, ...solution });
    expect(stateAfter(state(), question(1), typed).resolved).toMatchObject([
      { ...solution, counts: { none: 1, correct: 1 }, verdicts: { right: 1, wrong: 1 } },
    ]);
  });

  it('is shown during the first four seconds of the next round, and not to a client that reconnects later', () => {
    const shown = stateAfter(state(), question(1), [result(1), 100], [question(2, DURATION_MS - 500), 600]);
    expect(shown.revealUntilMs).toBe(100 + 4000);
    const late = stateAfter(state(), question(1), [result(1), 9000], [question(2, 3000), 9000]);
    expect(late.revealUntilMs).toBeLessThan(9000);
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
    expect(ahead.resolved.map(({ number, question }) => [number, question?.questionId])).toEqual([[1, 'word 1']]);
    expect(ahead.round?.number).toBe(2);
    expect(nextState(ahead, result(1), 0).resolved).toHaveLength(1);
  });

  it('is stored over a reload without the answers of others, except for the last one', () => {
    const right = { selectedOptionId: 2, isCorrect: true, points: 1 };
    const both = { answers: [ADA, BEN].map((userId) => ({ userId: userId as string, ...right })) };
    const after = stateAfter(state(), question(1), result(1, 0, both), result(2, 0, both));
    const kept = withoutOthers(after, BEN);
    expect(kept.resolved.map(({ answers }) => answers.map(({ userId }) => userId))).toEqual([[BEN], [ADA, BEN]]);
  });

  it('has no question if the page was opened too late to receive it', () => {
    expect(stateAfter(state(), result(2)).resolved[0]?.question).toBeNull();
  });
});

describe('[contract 11] an intermission', () => {
  it('shows the result for its duration, and takes no time from the next question', () => {
    const shown = stateAfter(stateWithIntermissions(), question(1), [result(1, 5000), 1000]);
    expect([shown.round, shown.revealUntilMs]).toEqual([null, 0]);
    expect(leftMs(shown.intermission, 3000)).toBe(3000);
    const next = nextState(shown, question(2), 6000);
    expect([next.intermission, next.revealUntilMs]).toEqual([null, 0]);
  });

  it('is corrected by a snapshot, which does not change the ranking', () => {
    const leading = { scores: [{ userId: BEN, name: 'Ben', score: 9 }] };
    const first = stateAfter(stateWithIntermissions(), question(1), result(1, 5000, leading), question(2));
    const shown = nextState(nextState(first, result(2, 5000), 0), result(2, 2000), 1000);
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
});

describe('places', () => {
  it('include who has climbed and who has fallen since the last round', () => {
    const standing = (...ids: string[]) => ids.map((userId, index) => ({ userId, name: userId, score: 10 - index }));
    const moved = rankScores(standing('c', 'a', 'b', 'new'), standing('a', 'b', 'c'));
    expect(moved.map(({ placesGained }) => placesGained)).toEqual([2, -1, -1, 0]);
    expect(rankScores(standing('a', 'b')).map(({ placesGained }) => placesGained)).toEqual([0, 0]);
  });

  it('include a streak, which ends with a wrong answer or a missed round', () => {
    const rounds = (...rights: boolean[]) => rights.map((isCorrect) => ({ answers: [{ userId: ADA, isCorrect }] }));
    const streak = (...rights: boolean[]) => streakOf(rounds(...rights) as never, ADA);
    expect([streak(), streak(true, true), streak(true, false, true), streak(false)]).toEqual([0, 2, 1, 0]);
    expect(streakOf([...rounds(true), { answers: [] }] as never, ADA)).toBe(0);
  });

  it('are shared on a tie, and the following one is left out', () => {
    const tied = [3, 3, 1, 0, 0].map((score, i) => ({ userId: `u${i}`, name: `U${i}`, score }));
    expect(rankScores(tied).map(({ place }) => place)).toEqual([1, 1, 3, 4, 4]);
  });
});

describe('[contract 19] a compact lobby, whose messages name the host, the receiver and the ten best', () => {
  const compact: Partial<Lobby> = {
    hostId: HOST.userId,
    compact: true,
    players: [HOST, OWN],
    playerCount: 301,
    connectedCount: 280,
    settings: { ...lobby().settings, hostPlays: false, compact: true },
  };
  const counts = { options: [40, 0, 200, 20], none: 40, correct: 200 };
  const you = { selectedOptionId: 0, isCorrect: false, points: 0, score: 0, rank: 201 };
  const judged = result(1, 0, { answers: undefined, counts, you });

  it('a result has the own answer, the numbers of all answers, and the own place below the ten best', () => {
    const { resolved, scores: shown } = stateAfter(state(compact), question(1), judged);
    expect(resolved[0]).toMatchObject({ counts, answers: [{ userId: OWN.userId, points: 0 }] });
    const places = { [ADA]: 1, [BEN]: 2, [OWN.userId]: 201 };
    expect(rankScores(shown).map(({ userId, place }) => [userId, place])).toEqual(Object.entries(places));
    expect(playersIn(shown, lobby(compact))).toBe(300);
  });

  it('the own score is listed once if it is among the ten best', () => {
    const best = [{ userId: OWN.userId, name: OWN.name, score: 2 }, ...scores];
    const first = { ...judged, scores: best, you: { ...you, rank: 1, score: 2 } } as typeof judged;
    const shown = stateAfter(state(compact), question(1), first);
    expect(rankScores(shown.scores).map(({ place }) => place)).toEqual([1, 2, 3]);
  });

  it('the end has the own place', () => {
    const end = { ...finished, you: { score: 0, correct: 0, rank: 150 }, winnerCount: 30 };
    const { scores: shown } = stateAfter(state(compact), end as typeof finished);
    expect(shown.at(-1)).toMatchObject({ userId: OWN.userId, place: 150 });
  });

  it('a host who presents has no own place', () => {
    const presenting = state({ ...compact, players: [HOST] });
    const shown = stateAfter(presenting, question(1), { ...judged, you: undefined } as typeof judged);
    expect(shown.scores).toEqual(scores);
    expect(shown.resolved[0]?.answers).toEqual([]);
  });

  it('a result that is sent after a reload has its question', () => {
    const { resolved } = stateAfter(state(), result(1, 1000, { snapshot: true, question: questionOf('house') }));
    expect(resolved[0]?.question).toMatchObject({ prompt: 'house' });
  });
});

// The events of a game as the page receives them, for tests of its state.

const HOST = { userId: 'host', name: 'Host', isHost: true, plays: false, connected: true };
const OWN = { userId: 'cleo', name: 'Cleo', isHost: false, plays: true, connected: true };
const ADA = 'ada';
const BEN = 'ben';
const GAME = 'game';
const DURATION_MS = 15_000;

function lobby(change: Partial<Lobby> = {}): Lobby {
  return {
    ...LOBBY_EXAMPLE,
    hostId: ADA,
    playerCount: change.players?.length ?? 0,
    connectedCount: change.players?.filter(({ connected }) => connected).length ?? 0,
    players: [],
    ...change,
  };
}

const state = (change?: Partial<Lobby>): ServerEvent => {
  return { type: 'lobby:state', seq: 1, mark: '', lobby: lobby(change) };
};

function question(round: number, leftMs = DURATION_MS): ServerEvent {
  return {
    type: 'game:question',
    seq: 2 * round,
    mark: '',
    gameId: GAME,
    round,
    totalRounds: 3,
    question: questionOf(`word ${round}`),
    durationMs: DURATION_MS,
    opensInMs: 0,
    remainingMs: leftMs,
    // The deadline is of an unrelated clock, since the page must not use it.
    deadline: '1999-01-01T00:00:00.000Z',
  };
}

const scores = [
  { userId: ADA, name: 'Ada', score: 1 },
  { userId: BEN, name: 'Ben', score: 0 },
];

function result(round: number, nextInMs = 0, change: object = {}): ServerEvent {
  return {
    type: 'game:answer_result',
    seq: 2 * round + 1,
    mark: '',
    gameId: GAME,
    round,
    questionId: `word ${round}`,
    correctOptionId: 2,
    nonce: '',
    nextInMs,
    nextAt: '1999-01-01T00:00:00.000Z',
    isLast: round === 3,
    reason: 'all_answered',
    answers: [{ userId: ADA, selectedOptionId: 2, isCorrect: true, points: 1 }],
    scores,
    ...change,
  };
}

/** A lobby with intermissions of five seconds. */
const stateWithIntermissions = (change?: Partial<Lobby>) =>
  state({ settings: { ...lobby().settings, intermissionMs: 5000 }, ...change });

const finished: ServerEvent = { type: 'game:finished', seq: 9, mark: '', gameId: GAME, scores, winnerIds: [ADA] };

const leftMs = (countdown: Countdown | null | undefined, nowMs: number) => countdown && remainingMs(countdown, nowMs);

/** Applies messages. Each may have its time of arrival; the default is 0. */
function stateAfter(...steps: (LobbyMessage | [LobbyMessage, number])[]): GameState {
  return steps.reduce<GameState>((before, step) => {
    const [event, nowMs] = Array.isArray(step) ? step : [step, 0];
    return nextState(before, event, nowMs);
  }, EMPTY_STATE);
}
