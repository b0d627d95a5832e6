// The parts of the page about past games that need no browser. [contract 13, 22]
import { describe, expect, it } from 'vitest';
import type { GameResult } from '../../src/client/types.ts';
import { toCsv } from '../../src/web/csv.ts';
import { askedIn, hardestTerms } from '../../src/web/game/ranking.ts';
import {
  answersOf,
  byPlayer,
  byWord,
  gradebookOf,
  hardestFirst,
  missedIn,
  mostSaid,
} from '../../src/web/games/game-answers.ts';
import { en } from '../../src/web/i18n/en/index.ts';
import { questionOf, roundOf } from './questions.ts';

const options = ['right', 'wrong', '=1+1', 'x'].map((text, optionId) => ({ optionId, text }));
const judged = (userId: string, selectedOptionId: number | null) => ({
  userId,
  selectedOptionId,
  isCorrect: selectedOptionId === 0,
  points: 0,
  elapsedMs: selectedOptionId === null ? null : 1250,
});

/** @returns the text of a file, with its byte order mark */
const textOf = async (file: Blob) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.arrayBuffer());

/** A game of two players and a third, who came for the second round. */
const GAME = {
  scores: [
    { userId: 'a', name: 'Zoe', score: 2, correct: 2 },
    { userId: 'b', name: '@Ben; "B"', score: 0, correct: 0 },
    { userId: 'c', name: 'Cy', score: 0, correct: 0 },
  ],
  rounds: [
    ['house', [judged('a', 0), judged('b', 1)]],
    ['train', [judged('a', 0), judged('b', 1), judged('c', 1)]],
  ].map(([prompt, answers], at) => ({
    round: at + 1,
    questionId: `${prompt}`,
    prompt: `${prompt}`,
    options,
    commitment: '',
    correctOptionId: 0,
    nonce: '',
    reason: 'timeout',
    answers,
  })),
} as GameResult;

describe('a game’s review', () => {
  it('has the answers by word', () => {
    const [house] = byWord(GAME);
    expect(house).toMatchObject({ title: 'house', note: 'right', correct: 1 });
    expect(house?.answers.map(({ of, text, verdict }) => [of, text, verdict])).toEqual([
      ['Zoe', 'right', 'right'],
      ['@Ben; "B"', 'wrong', 'wrong'],
    ]);
    const rounds = [{ ...GAME.rounds[0], answers: [judged('a', null)] }];
    const [missed] = byWord({ ...GAME, rounds } as GameResult);
    expect(missed?.answers).toMatchObject([{ of: 'Zoe', text: null, elapsedMs: null }]);
  });

  it('has the words that a user missed among those that the user was asked', () => {
    const missed = (userId: string) => missedIn(GAME, userId).map(({ question }) => question.prompt);
    expect(['a', 'b', 'c', 'd'].map(missed)).toEqual([[], ['house', 'train'], ['train'], []]);
  });

  it('has the hardest words first, with the wrong answer that was given most often', () => {
    const words = hardestFirst(byWord(GAME));
    expect(words.map(({ title }) => title)).toEqual(['train', 'house']);
    expect(words.map(mostSaid)).toEqual(['wrong', null]);
  });

  it('has who needs most help first', () => {
    const players = hardestFirst(byPlayer(GAME));
    expect(players.map(({ title }) => title)).toEqual(['@Ben; "B"', 'Cy', 'Zoe']);
  });
});

describe('a game’s tables', () => {
  it('are a gradebook by name, with empty cells for missed rounds', () => {
    expect(gradebookOf(GAME, en, 'en')).toEqual([
      ['Name', 'Right', 'Questions', 'Points', 'house', 'train'],
      ['@Ben; "B"', 0, 2, 0, 0, 0],
      ['Cy', 0, 1, 0, '', 0],
      ['Zoe', 2, 2, 2, 1, 1],
    ]);
  });

  it('are separated as the reader’s spreadsheet expects, and execute nothing', async () => {
    const rows = gradebookOf(GAME, en, 'de').slice(0, 2);
    const german = await textOf(toCsv(rows, 'de'));
    expect(german).toBe('\uFEFFName;Right;Questions;Points;house;train\r\n"\'@Ben; ""B""";0;2;0;0;0\r\n');
    expect(await textOf(toCsv([['a;=1', 'b']], 'en-GB'))).toBe("\uFEFFa;'=1,b\r\n");
    const answers = answersOf(GAME, en, 'de');
    expect(answers[1]).toEqual(['Zoe', 'house', 'right', 'right', 1, '1,3']);
    expect(answers).toHaveLength(6);
  });
});

describe('the hardest words of a game', () => {
  const round = (prompt: string, correct: number) =>
    roundOf({ question: questionOf(prompt), counts: { options: [0, 10 - correct, correct, 0], none: 0, correct } });

  it('are the five that fewest players knew', () => {
    const rounds = ['a', 'b', 'c', 'd', 'e', 'f'].map((prompt, at) => round(prompt, 9 - at));
    expect(hardestTerms(askedIn(rounds)).map(({ sourceText }) => sourceText)).toEqual(['f', 'e', 'd', 'c', 'b']);
    expect(hardestTerms(askedIn(rounds))[0]).toEqual({ sourceText: 'f', targetText: 'f 2' });
  });

  it('are none where they are too few for a list', () => {
    expect(hardestTerms(askedIn(['a', 'b', 'c'].map((prompt) => round(prompt, 1))))).toEqual([]);
  });
});
