// The state of a lobby and its game, as a pure reducer over the lobby's events. It computes no score and
// judges no answer: both come from the service.
import type { LobbyMessage } from '../../client/live.ts';
import type { Lobby } from '../../lobby/schema.ts';
import type { AnswerCounts, JudgedAnswer, RoundEndReason, Score, VerdictCounts } from '../../match/schema.ts';
import type { Question } from '../../vocabulary/schema.ts';
import { hasAnswered, type Solution } from './answers.ts';
import { type Countdown, startCountdown } from './clock.ts';

/** A round that can be answered. */
export interface OpenRound {
  number: number;
  total: number;
  question: Question;
  /** Null after a reload, until the service has sent again how much time is left. */
  countdown: Countdown | null;
  /**
   * When it can be answered, ms of the monotonic clock: the question is to be read first. Null after a reload,
   * until the service has sent again when that is. [contract 22]
   */
  opensAtMs: number | null;
}

/** A round that has ended. */
export interface ResolvedRound extends Solution {
  number: number;
  /** Null if the page was opened after the question was sent. */
  question: Question | null;
  reason: RoundEndReason;
  /** The known answers: in a compact lobby the own one alone. [contract 19] */
  answers: JudgedAnswer[];
  counts: AnswerCounts;
  /** How typed answers were judged; absent where answers are chosen. */
  verdicts?: VerdictCounts | undefined;
  isLast: boolean;
}

/** A score, with its place if the scores before it are not all known. */
export interface PlacedScore extends Score {
  place?: number;
}

/** How many players have answered the open round. The service sends it only to a host who presents. */
export interface RoundProgress {
  answered: number;
  awaited: number;
}

export interface GameState {
  lobby: Lobby | null;
  /** Why this player gets no further events; null while they come. */
  closed: 'host_left' | 'expired' | 'kicked' | null;
  /** The game to which all the following fields belong; null before the first one. */
  gameId: string | null;
  round: OpenRound | null;
  progress: RoundProgress | null;
  /** The questions of this game so far, by id. */
  questions: Record<string, Question>;
  /** The rounds that have ended, oldest first. */
  resolved: ResolvedRound[];
  /** The intermission after the last round, while it runs. */
  intermission: Countdown | null;
  /**
   * Until when the last round's result is shown in a game without intermissions. The next round is open
   * already, so the time is counted from when its question stood: a player who joins late loses no time.
   */
  revealUntilMs: number;
  /** Highest first; empty until a round has ended. In a compact lobby the ten best and the own one. */
  scores: PlacedScore[];
  /** The scores before the last round. */
  scoresBefore: PlacedScore[];
  /** Null until the game is over. */
  winnerIds: string[] | null;
}

export type Phase = 'loading' | 'waiting' | 'round' | 'intermission' | 'judging' | 'finished' | 'closed';

const REVEAL_MS = 4000;
/** The reveal is shorter if a quick answer earns more points. */
const REVEAL_WHEN_RACING_MS = 2000;
/** The largest part of the next round's time that the reveal covers. */
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
    case 'lobby:state': {
      // [contract 11: a waiting lobby has no game]
      const { status, gameId = state.gameId } = event.lobby;
      return { ...inGame(state, status === 'waiting' ? null : gameId), lobby: event.lobby };
    }
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
        scores: withOwn(event, state.lobby),
        winnerIds: event.winnerIds,
      };
  }
}

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

/** @returns the state as it is stored for a reload: another page has another monotonic clock */
export function withoutTimes(state: GameState): GameState {
  const opensAtMs = state.lobby?.settings.readMs ? null : 0;
  const round = state.round && { ...state.round, countdown: null, opensAtMs };
  return { ...state, round, intermission: null, revealUntilMs: 0 };
}

/** @returns the state without the others' answers of earlier rounds, which no screen shows */
export function withoutOthers(state: GameState, ownId: string): GameState {
  const last = state.resolved.at(-1);
  const resolved = state.resolved.map((round) => {
    const own = round.answers.filter(({ userId }) => userId === ownId);
    return round === last ? round : { ...round, answers: own };
  });
  return { ...state, resolved };
}

type MessageOf<T extends LobbyMessage['type']> = Extract<LobbyMessage, { type: T }>;

/** @returns the state for this game; a new game starts from an empty state */
function inGame(state: GameState, gameId: string | null): GameState {
  if (state.gameId === gameId) return state;
  const { lobby, closed } = state;
  return state.gameId === null ? { ...state, gameId } : { ...EMPTY_STATE, lobby, closed, gameId };
}

function openRound(state: GameState, event: MessageOf<'game:question'>, nowMs: number): GameState {
  const { question, durationMs, opensInMs, round: number } = event;
  const countdown = startCountdown(event, nowMs);
  const isNext = state.resolved.at(-1)?.number === number - 1;
  const isAtOnce = intermissionMs(state) === 0;
  const shownAtMs = countdown.endsAtMs - durationMs - (state.lobby?.settings.readMs ?? 0);
  return {
    ...state,
    // [contract 10: no lobby:state is sent for a change of status alone]
    lobby: withStatus(state.lobby, 'running', event.gameId),
    round: { number, total: event.totalRounds, question, countdown, opensAtMs: nowMs + opensInMs },
    progress: state.round?.number === number ? state.progress : null,
    questions: { ...state.questions, [question.questionId]: question },
    intermission: null,
    revealUntilMs: isNext && isAtOnce ? shownAtMs + revealMs(state, durationMs) : 0,
  };
}

function resolveRound(state: GameState, event: MessageOf<'game:answer_result'>, nowMs: number): GameState {
  const { correctOptionId, correctText, accepted, reason, isLast, nextInMs } = event;
  const question = state.questions[event.questionId] ?? event.question ?? null;
  const answers = event.answers ?? ownAnswer(event, state.lobby);
  const counts = event.counts ?? countAnswers(answers, question?.options?.length ?? 0);
  const solution = { correctOptionId, correctText, accepted };
  const verdicts = correctText === undefined ? undefined : (event.verdicts ?? countVerdicts(answers));
  const ended = { number: event.round, question, ...solution, reason, answers, counts, verdicts, isLast };
  const isRepeated = state.resolved.at(-1)?.number === event.round;
  const durationMs = state.round?.countdown?.durationMs ?? Number.POSITIVE_INFINITY;
  const told = { remainingMs: nextInMs, durationMs: Math.max(nextInMs, intermissionMs(state)) };
  return {
    ...state,
    round: null,
    resolved: [...state.resolved.filter((round) => round.number !== event.round), ended],
    intermission: nextInMs > 0 ? startCountdown(told, nowMs) : null,
    revealUntilMs: nextInMs > 0 ? 0 : nowMs + revealMs(state, durationMs),
    scores: withOwn(event, state.lobby),
    scoresBefore: isRepeated ? state.scoresBefore : state.scores,
  };
}

/** @returns the receiver of a compact lobby's messages, which name the host and the receiver alone */
function receiverIn(lobby: Lobby | null) {
  return lobby?.players.find(({ isHost }) => !isHost) ?? lobby?.players[0];
}

function ownAnswer({ you }: MessageOf<'game:answer_result'>, lobby: Lobby | null): JudgedAnswer[] {
  const userId = receiverIn(lobby)?.userId;
  if (!you || !userId) return [];
  const { selectedOptionId, verdict, isCorrect, points } = you;
  return [{ userId, selectedOptionId, verdict, isCorrect, points }];
}

/** @returns the scores, and the own one if the player is not among the ten best. [contract 19] */
function withOwn(
  { scores, you }: MessageOf<'game:answer_result'> | MessageOf<'game:finished'>,
  lobby: Lobby | null,
): PlacedScore[] {
  const own = receiverIn(lobby);
  if (!you || !own || scores.some(({ userId }) => userId === own.userId)) return scores;
  const { userId, name } = own;
  return [...scores, { userId, name, score: you.score, place: you.rank }];
}

function countAnswers(answers: readonly JudgedAnswer[], options: number): AnswerCounts {
  const chosen = (id: number) => answers.filter(({ selectedOptionId }) => selectedOptionId === id).length;
  return {
    options: Array.from({ length: options }, (_, id) => chosen(id)),
    none: answers.filter((answer) => !hasAnswered(answer)).length,
    correct: answers.filter(({ isCorrect }) => isCorrect).length,
  };
}

function countVerdicts(answers: readonly JudgedAnswer[]): VerdictCounts {
  const counts = { right: 0, close: 0, wrong: 0 };
  for (const { verdict } of answers) if (verdict) counts[verdict]++;
  return counts;
}

/** @returns the number of players of a game whose scores are these, also of those who are not listed */
export function playersIn(scores: readonly PlacedScore[], lobby: Lobby): number {
  const playing = lobby.playerCount - (lobby.settings.hostPlays ? 0 : 1);
  return lobby.compact ? Math.max(scores.length, playing) : scores.length;
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

export type HostAction = 'start' | 'skip' | 'pass' | 'next' | 'again';

/**
 * @param result the round whose result is on the screen, if one is
 * @returns null while the host can only wait
 */
export function nextHostAction(phase: Phase, result: ResolvedRound | null): HostAction | null {
  if (phase === 'intermission') return 'next';
  // Without intermissions the next round is open already, and only this page still shows the result.
  if (result) return 'pass';
  switch (phase) {
    case 'waiting':
      return 'start';
    case 'round':
      return 'skip';
    case 'finished':
      return 'again';
    default:
      return null;
  }
}

/** @returns a text that differs for each screen of a game */
export function sceneOf(state: GameState, result: ResolvedRound | null): string {
  return `${phaseOf(state)} ${state.round?.number} ${result?.number}`;
}
