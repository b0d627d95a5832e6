// A game's result as tables for a spreadsheet: a gradebook with a row for each player, and all answers. Pure.
import type { GameResult } from '../../client/types.ts';
import type { Cell } from '../csv.ts';
import type { Texts } from '../i18n/en/index.ts';
import { byPlayer } from './game-answers.ts';

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
