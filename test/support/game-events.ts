// The events of a game as the page receives them, for tests of its state.
import type { LobbyMessage } from '../../src/client/live.ts';
import type { Lobby } from '../../src/lobby/schema.ts';
import type { ServerEvent } from '../../src/realtime/schema.ts';
import { EMPTY_STATE, type GameState, nextState } from '../../src/web/game/game-state.ts';

export const [ADA, BEN] = ['ada', 'ben'];
export const GAME = 'game';
export const DURATION_MS = 15_000;

export function lobby(change: Partial<Lobby> = {}): Lobby {
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
      roundMs: 15_000,
      intermissionMs: 0,
      hostPlays: true,
      lateJoin: false,
      answerMode: 'choice',
      compact: false,
      readMs: 0,
      names: 'any',
      waitFor: 'all',
    },
    compact: false,
    playerCount: change.players?.length ?? 0,
    connectedCount: change.players?.filter(({ connected }) => connected).length ?? 0,
    players: [],
    locked: false,
    gameId: null,
    createdAt: '2026-11-21T09:30:00.000Z',
    ...change,
  };
}

export const state = (change?: Partial<Lobby>): ServerEvent => ({
  type: 'lobby:state',
  seq: 1,
  mark: '',
  lobby: lobby(change),
});

export function question(round: number, leftMs = DURATION_MS): ServerEvent {
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
    opensInMs: 0,
    remainingMs: leftMs,
    // The deadline is of an unrelated clock, since the page must not use it.
    deadline: '1999-01-01T00:00:00.000Z',
  };
}

export const scores = [
  { userId: ADA as string, name: 'Ada', score: 1 },
  { userId: BEN as string, name: 'Ben', score: 0 },
];

export function result(round: number, nextInMs = 0, change: object = {}): ServerEvent {
  return {
    type: 'game:answer_result',
    seq: 2 * round + 1,
    mark: '',
    gameId: GAME,
    round,
    questionId: `q${round}`,
    correctOptionId: 2,
    nonce: '',
    nextInMs,
    nextAt: '1999-01-01T00:00:00.000Z',
    isLast: round === 3,
    reason: 'all_answered',
    answers: [{ userId: ADA as string, selectedOptionId: 2, isCorrect: true, points: 1 }],
    scores,
    ...change,
  };
}

/** A lobby with intermissions of five seconds. */
export const stateWithIntermissions = (change?: Partial<Lobby>) =>
  state({ settings: { ...lobby().settings, intermissionMs: 5000 }, ...change });

export const finished: ServerEvent = {
  type: 'game:finished',
  seq: 9,
  mark: '',
  gameId: GAME,
  scores,
  winnerIds: [ADA as string],
};

/** Applies messages. Each may have its time of arrival; the default is 0. */
export function stateAfter(...steps: (LobbyMessage | [LobbyMessage, number])[]): GameState {
  return steps.reduce<GameState>((before, step) => {
    const [event, nowMs] = Array.isArray(step) ? step : [step, 0];
    return nextState(before, event, nowMs);
  }, EMPTY_STATE);
}
