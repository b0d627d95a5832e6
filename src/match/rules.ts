// The rules of a game: pure functions over a snapshot of its state. [contract 5.4, 5.5]
import { queuedWord } from '../learning/rules.ts';
import type { LobbySettings } from '../lobby/schema.ts';
import { SCORINGS } from '../scoring/registry.ts';
import { wordsName } from '../vocabulary/rules.ts';
import type { MatchPlan } from './plan.ts';
import type { GameSummary, JudgedAnswer, RoundEndReason, Score, StoredRound } from './schema.ts';

/** With its seal, unless the release before seals has drawn it. */
export type MatchQuestion = MatchPlan['questions'][number];

export interface Player {
  userId: string;
  name: string;
  /** Whether the player left for good, and so is no longer waited for. */
  left: boolean;
}

export interface StoredAnswer {
  optionId: number;
  /** From the opening of the round, by the Redis server's clock. */
  elapsedMs: number;
}

export interface Tally {
  score: number;
  correct: number;
  /** How many of the last rounds in a row were right. */
  streak: number;
}

/** Everything about a game at one instant. Times are ms by the Redis server's clock. */
export interface Match {
  lobbyId: string;
  gameId: string;
  code: string;
  settings: LobbySettings;
  /** `finishing`: the last phase is over, the game's result not yet stored. */
  status: 'open' | 'intermission' | 'finishing' | 'finished';
  /** From 1. */
  round: number;
  totalRounds: number;
  /** The open round's, in an intermission that of the last one; and the one after it. */
  question: MatchQuestion | null;
  nextQuestion: MatchQuestion | null;
  /** The host has ended the game: no question comes any more. */
  isEnding: boolean;
  presenterId: string | null;
  durationMs: number;
  startedAtMs: number;
  openedAtMs: number;
  deadlineMs: number;
  finishedAtMs: number;
  /** Grows with every change; what is decided on a snapshot holds only for its version. */
  version: number;
  /** Why the open phase is over before its deadline, or null while it is not. */
  complete: Exclude<RoundEndReason, 'timeout'> | null;
  /** In the order in which they came into the game. */
  players: Player[];
  /** The open round's answers by user. */
  answers: ReadonlyMap<string, StoredAnswer>;
  /** The tallies of all rounds before the open one, by user. */
  tallies: Readonly<Record<string, Tally>>;
}

/** @returns the open round's question with its key */
export function openQuestion(match: Match): MatchQuestion {
  if (!match.question) throw new Error(`game ${match.gameId} has no round ${match.round}`);
  return match.question;
}

/** What the end of a phase makes of a game. */
export interface PhaseEnd {
  reason: RoundEndReason;
  /** How the round that has ended was judged; null after an intermission. */
  judged: JudgedRound | null;
  next:
    | { status: 'open'; question: MatchQuestion }
    | { status: 'intermission'; durationMs: number }
    | { status: 'finishing' };
  /** Whether no further question comes. */
  isLast: boolean;
}

/**
 * The game as a state machine: what the end of its open phase leads to, if that is over.
 * @param nowMs the Redis server's time; close to it is enough, the script checks again
 * @returns null while the phase goes on
 */
export function endOfPhase(match: Match, nowMs: number): PhaseEnd | null {
  const reason: RoundEndReason | null =
    match.complete ?? (nowMs >= match.deadlineMs ? 'timeout' : null);
  if (!reason || (match.status !== 'open' && match.status !== 'intermission')) return null;
  const judged = match.status === 'open' ? judgeRound(match) : null;
  const isAbandoned =
    match.players.every((player) => player.left) || (!judged && match.complete === 'player_left');
  const isCut = match.isEnding || isAbandoned;
  const question = isCut ? null : match.nextQuestion;
  const ended = { reason, judged, isLast: !question };
  const durationMs = match.settings.intermissionMs;
  if (judged && durationMs > 0 && !isCut) {
    return { ...ended, next: { status: 'intermission', durationMs } };
  }
  if (!question) return { ...ended, next: { status: 'finishing' } };
  return { ...ended, next: { status: 'open', question } };
}

/** What the end of a round makes of the scores. */
export interface JudgedRound {
  answers: JudgedAnswer[];
  tallies: Record<string, Tally>;
  scores: Score[];
}

/** Judges the open round: the answers of those who have not left, and everybody's new score. */
export function judgeRound(match: Match): JudgedRound {
  const { correctOptionId } = openQuestion(match);
  const tallies = { ...match.tallies };
  const answers = match.players.flatMap(({ userId, left }): JudgedAnswer[] => {
    const before = tallies[userId] ?? { score: 0, correct: 0, streak: 0 };
    if (left) {
      // Who comes back has missed a round.
      if (tallies[userId]) tallies[userId] = { ...before, streak: 0 };
      return [];
    }
    const given = match.answers.get(userId);
    const isCorrect = given?.optionId === correctOptionId;
    const points = given ? pointsFor(match, given, isCorrect, before) : 0;
    tallies[userId] = {
      score: before.score + points,
      correct: before.correct + (isCorrect ? 1 : 0),
      streak: isCorrect ? (before.streak ?? 0) + 1 : 0,
    };
    return [{ userId, selectedOptionId: given?.optionId ?? null, isCorrect, points }];
  });
  return { answers, tallies, scores: rank(match.players, tallies) };
}

function pointsFor(match: Match, given: StoredAnswer, isCorrect: boolean, before: Tally): number {
  return SCORINGS[match.settings.scoring]({
    isCorrect,
    elapsedMs: given.elapsedMs,
    roundMs: match.durationMs,
    // A tally of the release before streaks has none.
    correctInARow: before.streak ?? 0,
  });
}

/** @returns a judged round as it is kept; null where it has no seal */
export function storedRound(match: Match, { reason, judged }: PhaseEnd): StoredRound | null {
  const { question, correctOptionId, nonce } = openQuestion(match);
  if (!judged || nonce === undefined || question.commitment === undefined) return null;
  return {
    round: match.round,
    ...question,
    commitment: question.commitment,
    correctOptionId,
    nonce,
    reason,
    answers: judged.answers.map((answer) => ({
      ...answer,
      elapsedMs: match.answers.get(answer.userId)?.elapsedMs ?? null,
    })),
  };
}

/**
 * What the memory of the players gets to know: no answer is no review. [contract 13]
 * @returns the word, and the ids of who was right and who was wrong; null where nobody has answered
 */
export function learnedFrom(
  match: Match,
  { answers }: JudgedRound,
): { word: string; right: string; wrong: string } | null {
  const given = answers.filter(({ selectedOptionId }) => selectedOptionId !== null);
  if (given.length === 0) return null;
  const idsOf = (isRight: boolean) =>
    given.flatMap(({ userId, isCorrect }) => (isCorrect === isRight ? userId : [])).join(' ');
  const word = queuedWord(wordsName(match.settings), openQuestion(match).question);
  return { word, right: idsOf(true), wrong: idsOf(false) };
}

/** Everyone who ever played, highest score first; equal scores in the order of entering. */
export function rank(players: Player[], tallies: Readonly<Record<string, Tally>>): Score[] {
  return players
    .map(({ userId, name }) => ({ userId, name, score: tallies[userId]?.score ?? 0 }))
    .toSorted((a, b) => b.score - a.score);
}

/** Everyone who has the highest score. [spec: winnerIds holds more than one user on a tie] */
export function winners(scores: readonly Score[]): string[] {
  const best = Math.max(...scores.map((score) => score.score));
  return scores.filter((score) => score.score === best).map((score) => score.userId);
}

/** @returns the final result, but for its rounds, of a match whose last round is judged */
export function resultOf(match: Match): GameSummary {
  const scores = rank(match.players, match.tallies);
  return {
    gameId: match.gameId,
    code: match.code,
    settings: match.settings,
    startedAt: new Date(match.startedAtMs).toISOString(),
    finishedAt: new Date(match.finishedAtMs).toISOString(),
    scores: scores.map((score) => ({
      ...score,
      correct: match.tallies[score.userId]?.correct ?? 0,
    })),
    winnerIds: winners(scores),
  };
}
