// The answers of a finished game, grouped by word or by player. Pure.
import type { GameResult } from '../../client/types.ts';
import { answerOf, type GivenAnswer, givenText, hasAnswered, rightText } from '../game/answers.ts';
import type { MissedQuestion } from '../quiz/quiz-state.ts';

type GameRound = GameResult['rounds'][number];

/** An answer for display. */
export interface AnswerEntry {
  key: string;
  /** The player's name, or the word. */
  of: string;
  /** The answer; null if there was none, and '' where the reader may not see what was typed. [contract 20] */
  text: string | null;
  verdict: 'right' | 'close' | 'wrong';
  right: string;
  elapsedMs: number | null;
}

export interface AnswerGroup {
  key: string;
  title: string;
  /** Shown beside the title: a word's right answer. */
  note: string;
  correct: number;
  answers: AnswerEntry[];
}

/** @returns a group for each round, with all players' answers */
export function byWord({ rounds, scores }: GameResult): AnswerGroup[] {
  const names = new Map(scores.map(({ userId, name }) => [userId, name]));
  return rounds.map((round) => {
    const answers = round.answers.map((answer) => ({
      ...entryOf(round, answer),
      key: answer.userId,
      of: names.get(answer.userId) ?? '',
    }));
    return group(String(round.round), round.prompt, rightText(round, round), answers);
  });
}

/** @returns a group for each player, in the order of the scores, with the player's answers */
export function byPlayer({ rounds, scores }: GameResult): AnswerGroup[] {
  return scores.map(({ userId, name }) => {
    const answers = rounds.flatMap((round) => {
      const answer = round.answers.find((one) => one.userId === userId);
      return answer ? [{ ...entryOf(round, answer), key: round.questionId, of: round.prompt }] : [];
    });
    return group(userId, name, '', answers);
  });
}

/** @returns the groups with the smallest share of right answers first */
export function hardestFirst(groups: readonly AnswerGroup[]): AnswerGroup[] {
  const share = ({ correct, answers }: AnswerGroup) => correct / Math.max(1, answers.length);
  return [...groups].sort((a, b) => share(a) - share(b));
}

/** @returns the wrong answer that was given most often, if more than one player gave it */
export function mostSaid({ answers }: AnswerGroup): string | null {
  const counts = new Map<string, number>();
  for (const { text, verdict } of answers)
    if (text && verdict === 'wrong') counts.set(text, (counts.get(text) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most && most[1] > 1 ? most[0] : null;
}

/** @returns the questions that a player answered wrong or not at all */
export function missedIn({ rounds }: GameResult, userId: string): MissedQuestion[] {
  return rounds.flatMap((round) => {
    const answer = round.answers.find((one) => one.userId === userId);
    if (!answer || answer.isCorrect) return [];
    return [{ question: round, solution: round, given: answerOf(answer, typedIn(answer)) }];
  });
}

function group(key: string, title: string, note: string, answers: AnswerEntry[]): AnswerGroup {
  const correct = answers.filter(({ verdict }) => verdict !== 'wrong').length;
  return { key, title, note, correct, answers };
}

function entryOf(round: GameRound, answer: GameRound['answers'][number]) {
  const { isCorrect, verdict, elapsedMs } = answer;
  return {
    text: hasAnswered(answer) ? givenText(round, answerOf(answer, typedIn(answer))) : null,
    verdict: verdict ?? (isCorrect ? ('right' as const) : ('wrong' as const)),
    right: rightText(round, round),
    elapsedMs,
  };
}

function typedIn({ text }: GameRound['answers'][number]): GivenAnswer | null {
  return text === undefined ? null : { text };
}
