// From the events of a lobby to what is on the screen: a pure reducer. Whatever a client shows of a
// game follows from the events alone; it computes no score and judges no answer.
import type { LobbyMessage } from '../client/live.ts';
import type { Lobby } from '../lobby/schema.ts';
import type { JudgedAnswer, RoundEndReason, Score } from '../match/schema.ts';
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
  /** Whether no further question comes. */
  isLast: boolean;
}

/** How many have answered the open round: told to a host who presents. */
export interface Progress {
  answered: number;
  awaited: number;
}

export interface GameState {
  lobby: Lobby | null;
  /** Why there is nothing more to come for this player. */
  closed: 'host_left' | 'expired' | 'kicked' | null;
  /** Which game all that follows is of; null before the first one. */
  gameId: string | null;
  round: OpenRound | null;
  progress: Progress | null;
  /** The questions seen in this game, by id. */
  questions: Record<string, Question>;
  /** The rounds that have ended, in their order. */
  resolved: ResolvedRound[];
  /** The time that the last round's result has for itself, while it lasts; null when it has none. */
  intermission: Countdown | null;
  /**
   * Without an intermission: until when the last round's result is shown before what comes next. The
   * next round is open already: this moment is counted from its opening, so that a latecomer loses no
   * time to it.
   */
  revealUntilMs: number;
  /** Highest first; empty until a round has ended. */
  scores: Score[];
  /** As they were before the last round. */
  scoresBefore: Score[];
  /** Null until the game is over. */
  winnerIds: string[] | null;
}

export type Phase =
  | 'loading'
  | 'waiting'
  | 'round'
  | 'intermission'
  | 'judging'
  | 'finished'
  | 'closed';

const REVEAL_MS = 4000;
/** Where a quick answer earns more, nobody wants to wait. */
const REVEAL_WHEN_RACING_MS = 2000;
/** At most this part of a round. */
const REVEAL_SHARE = 0.3;

export const EMPTY_STATE: GameState = {
  lobby: null,
  closed: null,
  gameId: null,
  round: null,
  progress: null,
  questions: {},
  resolved: [],
  intermission: null,
  revealUntilMs: 0,
  scores: [],
  scoresBefore: [],
  winnerIds: null,
};

/**
 * @param event the next event, or a snapshot that repeats one or runs ahead of some
 * @param nowMs when it arrived, by the monotonic clock
 */
export function nextState(state: GameState, event: LobbyMessage, nowMs: number): GameState {
  switch (event.type) {
    case 'lobby:state':
      return { ...inGame(state, gameOf(event.lobby, state)), lobby: event.lobby };
    case 'lobby:closed':
      return { ...state, closed: event.reason, round: null };
    case 'lobby:kicked':
      return { ...state, closed: 'kicked', round: null };
    case 'game:question':
      return openRound(inGame(state, event.gameId), event, nowMs);
    case 'game:answer_result':
      return resolveRound(inGame(state, event.gameId), event, nowMs);
    case 'game:progress': {
      const { answered, awaited, round } = event;
      return state.round?.number === round ? { ...state, progress: { answered, awaited } } : state;
    }
    case 'game:finished':
      return {
        ...inGame(state, event.gameId),
        lobby: withStatus(state.lobby, 'finished', event.gameId),
        round: null,
        intermission: null,
        scores: event.scores,
        winnerIds: event.winnerIds,
      };
  }
}

/** @returns which of the screens of a lobby this is */
export function phaseOf(state: GameState): Phase {
  const { lobby, closed, round, intermission, winnerIds } = state;
  if (closed) return 'closed';
  if (!lobby) return 'loading';
  if (winnerIds) return 'finished';
  if (round) return 'round';
  if (intermission) return 'intermission';
  return lobby.status === 'waiting' ? 'waiting' : 'judging';
}

/** @returns whether the user answers in this lobby's games: a host may present instead */
export function playsIn({ players }: Lobby, ownId: string): boolean {
  return players.find(({ userId }) => userId === ownId)?.plays !== false;
}

/** @returns the state as it is kept over a reload: another page has another monotonic clock */
export function withoutTimes(state: GameState): GameState {
  const round = state.round && { ...state.round, countdown: null };
  return { ...state, round, intermission: null, revealUntilMs: 0 };
}

/** @returns the state without what others have answered in earlier rounds, which nobody looks at again */
export function withoutOthers(state: GameState, ownId: string): GameState {
  const last = state.resolved.at(-1);
  const resolved = state.resolved.map((round) => {
    const own = round.answers.filter(({ userId }) => userId === ownId);
    return round === last ? round : { ...round, answers: own };
  });
  return { ...state, resolved };
}

type Event<T extends LobbyMessage['type']> = Extract<LobbyMessage, { type: T }>;

/** Which game's is on the screen of a lobby in this state: none while it waits. [contract 11] */
function gameOf({ status, gameId }: Lobby, known: GameState): string | null {
  return status === 'waiting' ? null : (gameId ?? known.gameId);
}

/** What was of another game is on the screen no longer. */
function inGame(state: GameState, gameId: string | null): GameState {
  if (state.gameId === gameId) return state;
  const { lobby, closed } = state;
  return state.gameId === null ? { ...state, gameId } : { ...EMPTY_STATE, lobby, closed, gameId };
}

function openRound(state: GameState, event: Event<'game:question'>, nowMs: number): GameState {
  const { question, durationMs, round: number } = event;
  const countdown = startCountdown(event, nowMs);
  const isNext = state.resolved.at(-1)?.number === number - 1;
  const isAtOnce = intermissionMs(state) === 0;
  const openedAtMs = countdown.endsAtMs - durationMs;
  return {
    ...state,
    // [contract 10: no lobby:state is sent for a change of status alone]
    lobby: withStatus(state.lobby, 'running', event.gameId),
    round: { number, total: event.totalRounds, question, countdown },
    progress: state.round?.number === number ? state.progress : null,
    questions: { ...state.questions, [question.questionId]: question },
    intermission: null,
    revealUntilMs: isNext && isAtOnce ? openedAtMs + revealMs(state, durationMs) : 0,
  };
}

function resolveRound(
  state: GameState,
  event: Event<'game:answer_result'>,
  nowMs: number,
): GameState {
  const { correctOptionId, reason, answers, isLast, nextInMs } = event;
  const question = state.questions[event.questionId] ?? null;
  const ended = { number: event.round, question, correctOptionId, reason, answers, isLast };
  const isRepeated = state.resolved.at(-1)?.number === event.round;
  const durationMs = state.round?.countdown?.durationMs ?? Number.POSITIVE_INFINITY;
  const told = { remainingMs: nextInMs, durationMs: Math.max(nextInMs, intermissionMs(state)) };
  return {
    ...state,
    round: null,
    resolved: [...state.resolved.filter((round) => round.number !== event.round), ended],
    intermission: nextInMs > 0 ? startCountdown(told, nowMs) : null,
    revealUntilMs: nextInMs > 0 ? 0 : nowMs + revealMs(state, durationMs),
    scores: event.scores,
    scoresBefore: isRepeated ? state.scoresBefore : state.scores,
  };
}

function intermissionMs({ lobby }: GameState): number {
  return lobby?.settings.intermissionMs ?? 0;
}

function revealMs({ lobby }: GameState, durationMs: number): number {
  const longestMs = lobby?.settings.scoring === 'accuracy' ? REVEAL_MS : REVEAL_WHEN_RACING_MS;
  return Math.min(longestMs, durationMs * REVEAL_SHARE);
}

function withStatus(lobby: Lobby | null, status: Lobby['status'], gameId: string): Lobby | null {
  return lobby && { ...lobby, status, gameId };
}
