// The rules of a game: pure functions over a snapshot of its state. [contract 5.4, 5.5]
import type { LobbySettings } from '../lobby/schema.ts';
import { SCORINGS } from '../scoring/registry.ts';
import type { KeyedQuestion } from '../vocabulary/rules.ts';
import type { GameResult, JudgedAnswer, RoundEndReason, Score } from './schema.ts';

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
}

/** Everything about a game at one instant. Times are ms by the Redis server's clock. */
export interface Match {
  lobbyId: string;
  gameId: string;
  code: string;
  settings: LobbySettings;
  /** `finishing`: the last round is judged, its result not yet stored. */
  status: 'open' | 'finishing' | 'finished';
  /** From 1. */
  round: number;
  questions: KeyedQuestion[];
  durationMs: number;
  startedAtMs: number;
  openedAtMs: number;
  deadlineMs: number;
  finishedAtMs: number;
  /** Grows with every change; what is decided on a snapshot holds only for its version. */
  version: number;
  /** Why nobody is waited for any more, or null while somebody is. */
  complete: 'all_answered' | 'player_left' | null;
  /** In the order in which they came into the game. */
  players: Player[];
  /** The open round's answers by user. */
  answers: ReadonlyMap<string, StoredAnswer>;
  /** The tallies of all rounds before the open one, by user. */
  tallies: Readonly<Record<string, Tally>>;
}

/** @returns the open round's question with its key */
export function openQuestion(match: Match): KeyedQuestion {
  const question = match.questions[match.round - 1];
  if (!question) throw new Error(`game ${match.gameId} has no round ${match.round}`);
  return question;
}

/**
 * Why the open round is over, if it is.
 * @param nowMs the Redis server's time; close to it is enough, the script checks again
 */
export function roundEnd(match: Match, nowMs: number): RoundEndReason | null {
  if (match.complete) return match.complete;
  return nowMs >= match.deadlineMs ? 'timeout' : null;
}

/** What the end of a round makes of a game. */
export interface JudgedRound {
  answers: JudgedAnswer[];
  tallies: Record<string, Tally>;
  scores: Score[];
  /** The question to open next, or null when the game is over. */
  next: KeyedQuestion | null;
}

/** Judges the open round: the answers of those who have not left, and everybody's new score. */
export function judgeRound(match: Match): JudgedRound {
  const { correctOptionId } = openQuestion(match);
  const judge = SCORINGS[match.settings.scoring];
  const tallies = { ...match.tallies };
  const answers = match.players.flatMap(({ userId, left }): JudgedAnswer[] => {
    const given = match.answers.get(userId);
    const isCorrect = given?.optionId === correctOptionId;
    const points = given
      ? judge({ isCorrect, elapsedMs: given.elapsedMs, roundMs: match.durationMs })
      : 0;
    if (left) return [];
    const before = tallies[userId] ?? { score: 0, correct: 0 };
    tallies[userId] = {
      score: before.score + points,
      correct: before.correct + (isCorrect ? 1 : 0),
    };
    return [{ userId, selectedOptionId: given?.optionId ?? null, isCorrect, points }];
  });
  const everybodyLeft = match.players.every((player) => player.left);
  return {
    answers,
    tallies,
    scores: rank(match.players, tallies),
    next: everybodyLeft ? null : (match.questions[match.round] ?? null),
  };
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

/** The final result of a match whose last round is judged. */
export function resultOf(match: Match): GameResult {
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
