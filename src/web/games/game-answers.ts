// The answers of a finished game, grouped by word or by player, and as tables for a spreadsheet. Pure.
import type { GameResult } from '../../client/types.ts';
import type { Cell } from '../csv.ts';
import { answerOf, type GivenAnswer, givenText, hasAnswered, rightText } from '../game/answers.ts';
import type { Texts } from '../i18n/en/index.ts';
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

const DELETED_NAME = 'Deleted player';

/** @returns the people of a stored result, as the page names them */
export function asNamed<Person extends { name: string }>(people: readonly Person[], t: Texts): Person[] {
  return people.map((person) => (person.name === DELETED_NAME ? { ...person, name: t.games.deleted } : person));
}

/** @returns a row for each player, by name, with the numbers of right answers and points, then a column for each word */
export function gradebookOf(game: GameResult, texts: Texts, locale: string): Cell[][] {
  const { rounds, scores } = game;
  const { games: t, questions, scoring } = texts;
  const head = [t.player, t.rightAnswers, questions, scoring, ...rounds.map(({ prompt }) => prompt)];
  const answers = rounds.map((round) => new Map(round.answers.map((one) => [one.userId, one])));
  const rows = [...scores]
    .sort((a, b) => a.name.localeCompare(b.name, locale))
    .map(({ userId, name, score, correct }) => {
      const marks = answers.map((byUser) => {
        const answer = byUser.get(userId);
        return answer ? Number(answer.isCorrect) : '';
      });
      return [name, correct, marks.filter((mark) => mark !== '').length, score, ...marks];
    });
  return [head, ...rows];
}

/** @returns a row for each answer, grouped by player */
export function answersOf(game: GameResult, texts: Texts, locale: string): Cell[][] {
  const { games: t } = texts;
  const head = [t.player, t.word, texts.rightAnswer, t.answer, t.rightAnswers, t.seconds];
  const seconds = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, useGrouping: false });
  const rows = byPlayer(game).flatMap(({ title, answers }) =>
    answers.map(({ of, right, text, verdict, elapsedMs }) => [
      title,
      of,
      right,
      text ?? '',
      Number(verdict !== 'wrong'),
      elapsedMs === null ? '' : seconds.format(elapsedMs / 1000),
    ]),
  );
  return [head, ...rows];
}
