// The rules of a game: pure functions over a snapshot of its state. [contract 5.4, 5.5]
import type { Verdict } from '../judging/verdict.ts';
import type { LobbySettings } from '../lobby/schema.ts';
import { SCORINGS } from '../scoring/scoring.ts';
import type { SealedQuestion } from '../vocabulary/rules.ts';
import type { GameSummary, JudgedAnswer, RoundEndReason, Score } from './schema.ts';

export interface MatchPlayer {
  userId: string;
  name: string;
  /** Whether the player has left for good. Rounds don't wait for such a player. */
  left: boolean;
}

/** A chosen answer, or a typed one, which is compared when it arrives. */
export type GivenAnswer = { optionId: number } | { text: string; verdict: Verdict };

export type StoredAnswer = GivenAnswer & {
  /** From the opening of the round to the answer, by the Redis server's clock. */
  elapsedMs: number;
};

/** The sums of a player over all judged rounds. */
export interface PlayerTotals {
  score: number;
  correct: number;
  /** Right answers in a row, up to the last judged round. */
  streak: number;
}

/** A snapshot of a game. Times are in ms, by the Redis server's clock. */
export interface Match {
  lobbyId: string;
  gameId: string;
  code: string;
  settings: LobbySettings;
  /** `finishing`: the last phase is over, and the result isn't stored yet. */
  status: 'open' | 'intermission' | 'finishing' | 'finished';
  /** From 1. */
  round: number;
  totalRounds: number;
  /** The question of the open round; in an intermission, of the round before it. */
  question: SealedQuestion | null;
  /** The question of the next round; null in the last one. */
  nextQuestion: SealedQuestion | null;
  /** Whether the host has ended the game, so that no further question comes. */
  isEnding: boolean;
  presenterId: string | null;
  /** Whether messages leave out what grows with the number of players. [contract 19] */
  isCompact: boolean;
  durationMs: number;
  startedAtMs: number;
  /** When the question of the round can be answered. */
  openedAtMs: number;
  deadlineMs: number;
  finishedAtMs: number;
  /** Grows with every change. The scripts refuse an outcome that was computed from another version. */
  version: number;
  /** Why the open phase ends before its deadline; null while it goes on. */
  complete: Exclude<RoundEndReason, 'timeout'> | null;
  /** In the order in which they entered the game. */
  players: MatchPlayer[];
  /** The answers to the open question, by user. */
  answers: ReadonlyMap<string, StoredAnswer>;
  /** The totals before the open round, by user. */
  totals: Readonly<Record<string, PlayerTotals>>;
}

/** How much longer the first question of a game stands before it can be answered, ms. [contract 22] */
const FIRST_READ_MS = 3000;

/** @returns for how long the question of a round stands before it can be answered, ms */
export function readMsOf({ readMs }: Pick<LobbySettings, 'readMs'>, round: number): number {
  return readMs > 0 && round === 1 ? readMs + FIRST_READ_MS : readMs;
}

export function openQuestion(match: Match): SealedQuestion {
  if (!match.question) throw new Error(`game ${match.gameId} has no round ${match.round}`);
  return match.question;
}

/** The end of a phase, and what comes next. */
export interface PhaseEnd {
  reason: RoundEndReason;
  /** The judgement of the round; null at the end of an intermission. */
  judged: JudgedRound | null;
  next:
    | { status: 'open'; question: SealedQuestion }
    | { status: 'intermission'; durationMs: number }
    | { status: 'finishing' };
  /** Whether the game has no further question. */
  isLast: boolean;
  /** The time at which the end was computed, ms. */
  endedAtMs: number;
}

/**
 * The transition of the game's state machine: computes the end of the open phase.
 * @param nowMs the Redis server's time, as this process estimates it; the script checks the deadline again
 * @returns null while the phase goes on
 */
export function endOfPhase(match: Match, nowMs: number): PhaseEnd | null {
  const reason: RoundEndReason | null = match.complete ?? (nowMs >= match.deadlineMs ? 'timeout' : null);
  if (!reason || (match.status !== 'open' && match.status !== 'intermission')) return null;
  const judged = match.status === 'open' ? judgeRound(match) : null;
  const isAbandoned = match.players.every((player) => player.left) || (!judged && match.complete === 'player_left');
  const isCut = match.isEnding || isAbandoned;
  const question = isCut ? null : match.nextQuestion;
  const ended = { reason, judged, isLast: !question, endedAtMs: nowMs };
  const durationMs = match.settings.intermissionMs;
  if (judged && durationMs > 0 && !isCut) {
    return { ...ended, next: { status: 'intermission', durationMs } };
  }
  if (!question) return { ...ended, next: { status: 'finishing' } };
  return { ...ended, next: { status: 'open', question } };
}

/** The judgement of a round, with the totals and scores after it. */
export type JudgedRound = ReturnType<typeof judgeRound>;

/**
 * Judges the open round. The listed answers leave out players who have left; an answer that such a player
 * gave before still counts in the scores. [contract 5.2, 10]
 */
export function judgeRound(match: Match) {
  const question = openQuestion(match);
  const totals: Record<string, PlayerTotals> = { ...match.totals };
  const answers: JudgedAnswer[] = [];
  for (const { userId, left } of match.players) {
    const before = totals[userId] ?? { score: 0, correct: 0, streak: 0 };
    const given = match.answers.get(userId);
    const isCorrect = given !== undefined && isRight(question, given);
    const points = given ? pointsFor(match, given, isCorrect, before) : 0;
    totals[userId] = {
      score: before.score + points,
      correct: before.correct + (isCorrect ? 1 : 0),
      // A missed round ends the streak, also that of a player who has left and comes back later.
      streak: isCorrect ? before.streak + 1 : 0,
    };
    if (!left) answers.push({ userId, ...shownAnswer(question, given), isCorrect, points });
  }
  return { answers, totals, scores: rank(match.players, totals) };
}

/** @returns whether an answer is right; one of another mode than the question's can't be stored */
function isRight(question: SealedQuestion, given: GivenAnswer): boolean {
  if ('verdict' in given) return given.verdict !== 'wrong';
  return 'correctOptionId' in question && given.optionId === question.correctOptionId;
}

/** @returns what all players get to know of an answer */
function shownAnswer(question: SealedQuestion, given: GivenAnswer | undefined) {
  if ('accepted' in question) return { verdict: given && 'verdict' in given ? given.verdict : null };
  return { selectedOptionId: given && 'optionId' in given ? given.optionId : null };
}

/** @returns the solution of a judged question, with the nonce that opens its commitment [contract 12, 20] */
export function revealed(question: SealedQuestion) {
  const { nonce } = question;
  if ('correctOptionId' in question) return { correctOptionId: question.correctOptionId, nonce };
  const [correctText = '', ...others] = question.accepted;
  return { correctText, accepted: [correctText, ...others], nonce };
}

function pointsFor(match: Match, given: StoredAnswer, isCorrect: boolean, before: PlayerTotals): number {
  return SCORINGS[match.settings.scoring]({
    isCorrect,
    elapsedMs: given.elapsedMs,
    roundMs: match.durationMs,
    correctInARow: before.streak,
  });
}

/** @returns the scores of all who have played, the highest first; equal ones in the order of entering */
export function rank(players: MatchPlayer[], totals: Readonly<Record<string, PlayerTotals>>): Score[] {
  return players
    .map(({ userId, name }) => ({ userId, name, score: totals[userId]?.score ?? 0 }))
    .toSorted((a, b) => b.score - a.score);
}

/** @returns the ids of all players with the highest score. [contract 5.7] */
export function winners(scores: readonly Score[]): string[] {
  const best = Math.max(...scores.map((score) => score.score));
  return scores.filter((score) => score.score === best).map((score) => score.userId);
}

/** @param endedAtMs by the Redis server's clock @returns the game after its last phase */
export function afterEnd(match: Match, { judged }: PhaseEnd, endedAtMs: number): Match {
  const totals = judged?.totals ?? match.totals;
  return { ...match, status: 'finishing', totals, finishedAtMs: endedAtMs };
}

/** @returns the result of a game whose last round is judged, without its rounds */
export function resultOf(match: Match): GameSummary {
  const scores = rank(match.players, match.totals);
  return {
    gameId: match.gameId,
    code: match.code,
    settings: match.settings,
    startedAt: new Date(match.startedAtMs).toISOString(),
    finishedAt: new Date(match.finishedAtMs).toISOString(),
    scores: scores.map((score) => ({ ...score, correct: match.totals[score.userId]?.correct ?? 0 })),
    winnerIds: winners(scores),
  };
}
