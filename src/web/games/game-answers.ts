// Who answered what in a finished game, by word and by player. Pure.
import type { GameResult } from '../../client/types.ts';
import { optionText } from '../option-text.ts';
import type { MissedQuestion } from '../quiz-state.ts';

type Round = GameResult['rounds'][number];

/** One answer as it is read later. */
export interface Told {
  key: string;
  /** Who, or which word. */
  of: string;
  /** Null: none. */
  text: string | null;
  right: string;
  isCorrect: boolean;
  elapsedMs: number | null;
}

export interface Group {
  key: string;
  title: string;
  /** Beside the title: the gloss, the right answer. */
  note: string;
  correct: number;
  answers: Told[];
}

/** @returns a group a round, with what each player said */
export function byWord({ rounds, scores }: GameResult): Group[] {
  const names = new Map(scores.map(({ userId, name }) => [userId, name]));
  return rounds.map((round) => {
    const answers = round.answers.map((answer) => ({
      ...told(round, answer),
      key: answer.userId,
      of: names.get(answer.userId) ?? '',
    }));
    return group(String(round.round), round.prompt, rightOf(round), answers);
  });
}

/** @returns a group a player, in the order of the scores, with what was said to each word */
export function byPlayer({ rounds, scores }: GameResult): Group[] {
  return scores.map(({ userId, name }) => {
    const answers = rounds.flatMap((round) => {
      const answer = round.answers.find((one) => one.userId === userId);
      return answer ? [{ ...told(round, answer), key: round.questionId, of: round.prompt }] : [];
    });
    return group(userId, name, '', answers);
  });
}

/** @returns the questions that a player was asked and did not get right */
export function missedIn({ rounds }: GameResult, userId: string): MissedQuestion[] {
  return rounds.flatMap((round) => {
    const answer = round.answers.find((one) => one.userId === userId);
    if (!answer || answer.isCorrect) return [];
    const { correctOptionId } = round;
    return [{ question: round, correctOptionId, selectedOptionId: answer.selectedOptionId }];
  });
}

function group(key: string, title: string, note: string, answers: Told[]): Group {
  const correct = answers.filter(({ isCorrect }) => isCorrect).length;
  return { key, title, note, correct, answers };
}

function told(round: Round, { selectedOptionId, isCorrect, elapsedMs }: Round['answers'][number]) {
  return {
    text: optionText(round, selectedOptionId) || null,
    right: rightOf(round),
    isCorrect,
    elapsedMs,
  };
}

function rightOf(round: Round): string {
  return optionText(round, round.correctOptionId);
}
