// From the events of a lobby to what is on the screen: a pure reducer. Whatever a client shows of a
// game follows from the events alone; it computes no score and judges no answer.
import type { Lobby } from '../lobby/schema.ts';
import type { JudgedAnswer, RoundEndReason, Score } from '../match/schema.ts';
import type { ServerEvent } from '../realtime/schema.ts';
import type { Question } from '../vocabulary/schema.ts';
import { type Countdown, startCountdown } from './clock.ts';

/** A round that can be answered. */
export interface OpenRound {
  number: number;
  total: number;
  question: Question;
  /** Null after a reload, until the service has said again how much time is left. */
  countdown: Countdown | null;
}

/** How a round ended. */
export interface ResolvedRound {
  number: number;
  /** Null where the page came too late to see it. */
  question: Question | null;
  correctOptionId: number;
  reason: RoundEndReason;
  answers: JudgedAnswer[];
}

export interface GameState {
  lobby: Lobby | null;
  closed: 'host_left' | 'expired' | null;
  round: OpenRound | null;
  /** The questions seen in this game, by id. */
  questions: Record<string, Question>;
  /** The rounds that have ended, in their order. */
  resolved: ResolvedRound[];
  /**
   * Until when the last round's result is shown before what comes next. The next round is open
   * already: this moment is counted from its opening, so that a latecomer loses no time to it.
   */
  revealUntilMs: number;
  /** Highest first; empty until a round has ended. */
  scores: Score[];
  /** Null until the game is over. */
  winnerIds: string[] | null;
}

export type Phase = 'loading' | 'waiting' | 'round' | 'judging' | 'finished' | 'closed';

const REVEAL_MS = 4000;
/** Where a quick answer earns more, nobody wants to wait. */
const REVEAL_WHEN_RACING_MS = 2000;
/** At most this part of a round. */
const REVEAL_SHARE = 0.3;

export const EMPTY_STATE: GameState = {
  lobby: null,
  closed: null,
  round: null,
  questions: {},
  resolved: [],
  revealUntilMs: 0,
  scores: [],
  winnerIds: null,
};

/**
 * @param event the next event, or a snapshot that repeats one or runs ahead of some
 * @param nowMs when it arrived, by the monotonic clock
 */
export function nextState(state: GameState, event: ServerEvent, nowMs: number): GameState {
  switch (event.type) {
    case 'lobby:state':
      // Opened again: nothing of the last game is on the screen any more. [contract 11]
      if (state.winnerIds && event.lobby.status === 'waiting') {
        return { ...EMPTY_STATE, lobby: event.lobby };
      }
      return { ...state, lobby: event.lobby };
    case 'lobby:closed':
      return { ...state, closed: event.reason, round: null };
    case 'game:question':
      return openRound(state, event, nowMs);
    case 'game:answer_result':
      return resolveRound(state, event, nowMs);
    case 'game:finished':
      return {
        ...state,
        lobby: withStatus(state.lobby, 'finished', event.gameId),
        round: null,
        scores: event.scores,
        winnerIds: event.winnerIds,
      };
    default:
      return state;
  }
}

/** @returns which of the screens of a lobby this is */
export function phaseOf({ lobby, closed, round, winnerIds }: GameState): Phase {
  if (closed) return 'closed';
  if (!lobby) return 'loading';
  if (winnerIds) return 'finished';
  if (round) return 'round';
  return lobby.status === 'waiting' ? 'waiting' : 'judging';
}

/** @returns the state as it is kept over a reload: another page has another monotonic clock */
export function withoutTimes(state: GameState): GameState {
  const round = state.round && { ...state.round, countdown: null };
  return { ...state, round, revealUntilMs: 0 };
}

type Event<T extends ServerEvent['type']> = Extract<ServerEvent, { type: T }>;

function openRound(state: GameState, event: Event<'game:question'>, nowMs: number): GameState {
  const { question, durationMs } = event;
  const countdown = startCountdown(event, nowMs);
  const isNext = state.resolved.at(-1)?.number === event.round - 1;
  const openedAtMs = countdown.endsAtMs - durationMs;
  return {
    ...state,
    // [contract 10: no lobby:state is sent for a change of status alone]
    lobby: withStatus(state.lobby, 'running', event.gameId),
    round: { number: event.round, total: event.totalRounds, question, countdown },
    questions: { ...state.questions, [question.questionId]: question },
    revealUntilMs: isNext ? openedAtMs + revealMs(state, durationMs) : 0,
  };
}

function resolveRound(
  state: GameState,
  event: Event<'game:answer_result'>,
  nowMs: number,
): GameState {
  const { correctOptionId, reason, answers } = event;
  const question = state.questions[event.questionId] ?? null;
  const ended = { number: event.round, question, correctOptionId, reason, answers };
  const durationMs = state.round?.countdown?.durationMs ?? Number.POSITIVE_INFINITY;
  return {
    ...state,
    round: null,
    resolved: [...state.resolved.filter((round) => round.number !== event.round), ended],
    revealUntilMs: nowMs + revealMs(state, durationMs),
    scores: event.scores,
  };
}

function revealMs({ lobby }: GameState, durationMs: number): number {
  const longestMs = lobby?.settings.scoring === 'speed' ? REVEAL_WHEN_RACING_MS : REVEAL_MS;
  return Math.min(longestMs, durationMs * REVEAL_SHARE);
}

function withStatus(lobby: Lobby | null, status: Lobby['status'], gameId: string): Lobby | null {
  return lobby && { ...lobby, status, gameId };
}
