// The parts of the page about quizzes that need no browser.
import { describe, expect, it } from 'vitest';
import { GameRequest } from '../../src/singleplayer/schema.ts';
import { EMPTY_STATE } from '../../src/web/game/game-state.ts';
import { judgeLocally, missedBy, practise, repeatMissed } from '../../src/web/quiz/practice.ts';
import * as quizzes from '../../src/web/quiz/quiz-state.ts';
import {
  chooseDeck,
  deckOf,
  type OfferedDeck,
  questionCounts,
  swapDirection,
} from '../../src/web/words/deck-choice.ts';
import { questionOf, roundOf } from './questions.ts';

/** @returns the judgement of an answer with the second option */
const judgement = (isCorrect: boolean, correct: number) => {
  return { selectedOptionId: 1, correctOptionId: isCorrect ? 1 : 2, isCorrect, score: { correct } };
};

describe('the choice of a deck', () => {
  /** @param name the languages, level and part of speech */
  const deck = (name: string, questions = 50) => {
    const [sourceLanguage, targetLanguage, difficulty = 'A1', pos = 'noun'] = name.split(' ');
    const words = { questions, terms: 60, topics: [], sources: [] };
    return { sourceLanguage, targetLanguage, difficulty, pos, ...words } as OfferedDeck;
  };
  const decks = [deck('en it'), deck('en it A2 verb'), deck('it en A2'), deck('fr de', 0)];

  it('offers only values that lead to a deck, and selects the wanted deck', () => {
    const wanted = deck('en it A2 verb');
    expect(chooseDeck(decks, wanted)).toEqual({
      sourceLanguage: ['en', 'it'],
      targetLanguage: ['it'],
      difficulty: ['A1', 'A2'],
      pos: ['verb'],
      deck: wanted,
    });
  });

  it('falls back to another deck if the wanted one does not exist', () => {
    expect(chooseDeck(decks, deck('en it A1 adverb'))?.deck).toEqual(deck('en it'));
    expect(chooseDeck(decks, deck('es fr C2'))?.deck.sourceLanguage).toBe('en');
  });

  it('leaves out decks that are too small for a question, and may be empty', () => {
    expect(chooseDeck(decks, deck('fr de'))?.sourceLanguage).not.toContain('fr');
    expect(chooseDeck([], deck('en it'))).toBeNull();
  });

  it('can swap the direction', () => {
    expect(swapDirection(deck('en it'))).toMatchObject({ sourceLanguage: 'it', targetLanguage: 'en' });
  });

  it('sends only the fields of a deck', () => {
    const [offered] = decks as [OfferedDeck];
    expect(GameRequest.safeParse(offered).success).toBe(false);
    expect(GameRequest.parse(deckOf(offered))).toMatchObject(deckOf(offered));
  });

  it('offers only as many questions as there are words', () => {
    expect(questionCounts(24, 50)).toEqual([5, 10, 20, 24]);
    expect(questionCounts(500, 50)).toEqual([5, 10, 20, 30, 50]);
    expect(questionCounts(4, 50)).toEqual([4]);
  });
});

it('a quiz goes from question to question with the service’s score, and ends with the missed words', () => {
  const session = { sessionId: 's', expiresAt: '', questions: ['house', 'cat', 'dog'].map(questionOf) };
  let quiz = quizzes.startQuiz({}, session);
  expect(quizzes.questionAt(quiz)?.prompt).toBe('house');
  expect(quizzes.verdictAt(quiz)).toBeNull();
  quiz = quizzes.withVerdict(quiz, judgement(false, 0));
  expect(quizzes.verdictAt(quiz)).toMatchObject({ isCorrect: false });
  quiz = quizzes.nextQuestion(quiz);
  quiz = quizzes.nextQuestion(quizzes.withLostVerdict(quiz));
  quiz = quizzes.nextQuestion(quizzes.withVerdict(quiz, judgement(true, 2)));
  expect(quizzes.questionAt(quiz)).toBeNull();
  expect(quiz.correct).toBe(2);
  expect(quizzes.missedQuestions(quiz).map(quizzes.missedWord)).toEqual([
    { prompt: 'house', gloss: undefined, correct: 'house 2', also: [], chosen: 'house 1' },
  ]);
});

it('homework is resumed after its judged answers, in whatever order they were given', () => {
  const questions = ['a', 'b', 'c'].map(questionOf);
  const answered = [true, false].map((isCorrect, at) => ({
    sessionId: 's',
    questionId: ['c', 'a'][at] ?? '',
    nonce: '',
    isCorrect,
    score: { correct: 1, answered: at + 1, total: 3 },
  }));
  const words = { code: '7KQ2ZD9M', sourceLanguage: 'de', targetLanguage: 'it' };
  const session = { sessionId: 's', expiresAt: '', questions, attempt: 1, answered };
  const quiz = quizzes.resumeHomework(words, session);
  expect(quiz).toMatchObject({ at: 2, correct: 1, verdicts: answered, homework: '7KQ2ZD9M' });
  expect(quiz.session.questions.map(({ questionId }) => questionId)).toEqual(['c', 'a', 'b']);
  expect(quizzes.questionAt(quiz)?.questionId).toBe('b');
  const ended = quizzes.resumeHomework(words, { ...session, answered: [] });
  expect(ended).toMatchObject({ at: 0, correct: 0, verdicts: [] });
});

describe('the missed words', () => {
  const missed = ['house', 'cat'].map((prompt) => {
    return { question: questionOf(prompt), solution: { correctOptionId: 2 }, given: null };
  });
  /** Chooses the last remaining element. */
  const last = (bound: number) => bound - 1;

  it('are practised in another order, and judged by their known answers', () => {
    let quiz = practise(missed, {}, 'ABC123', last);
    expect(quiz.session.questions.map(({ prompt }) => prompt)).toEqual(['cat', 'house']);
    const [cat] = quiz.session.questions;
    expect(cat?.options).toEqual(['cat 3', 'cat 0', 'cat 1', 'cat 2'].map((text, optionId) => ({ optionId, text })));
    expect(judgeLocally(quiz, { optionId: 3 })).toMatchObject({ isCorrect: true, score: { correct: 1 } });
    quiz = quizzes.nextQuestion(quizzes.withVerdict(quiz, judgeLocally(quiz, { optionId: 3 })));
    quiz = quizzes.nextQuestion(quizzes.withVerdict(quiz, judgeLocally(quiz, { optionId: 0 })));
    expect(quiz.correct).toBe(1);
    expect(quizzes.missedQuestions(quiz).map(quizzes.missedWord)).toEqual([
      { prompt: 'house', gloss: undefined, correct: 'house 2', also: [], chosen: 'house 3' },
    ]);
  });

  it('are asked once more at the end of a quiz, whose score stays', () => {
    const [house, cat] = missed.map(({ question }) => question);
    const session = { sessionId: 's', expiresAt: '', questions: [house, cat] as (typeof house & {})[] };
    let quiz = quizzes.startQuiz({}, session);
    quiz = quizzes.nextQuestion(quizzes.withVerdict(quiz, judgement(true, 1)));
    quiz = repeatMissed(quizzes.withVerdict(quiz, judgement(false, 1)), last);
    const part = quizzes.partOf(quiz);
    expect(quizzes.questionAt(part)?.prompt).toBe('cat');
    const right = judgeLocally(part, { optionId: 3 });
    expect(right.isCorrect).toBe(true);
    quiz = quizzes.withPart(quiz, quizzes.nextQuestion(quizzes.withVerdict(part, right)));
    expect(quizzes.questionAt(quizzes.partOf(quiz))).toBeNull();
    expect({ first: quiz.correct, second: quiz.repetition?.correct }).toEqual({ first: 1, second: 1 });
  });

  it('whose answers were typed are judged as the service would, but for translations of others', () => {
    const question = { questionId: 'q', prompt: 'city', answerMode: 'typed', commitment: '' } as const;
    const solution = { correctText: 'la città', accepted: ['la città', 'il centro'] };
    const quiz = practise([{ question, solution, given: null }], { targetLanguage: 'it' }, undefined, last);
    const judged = ['Città!', 'citta', 'il CENTRO', 'paese'].map((text) => judgeLocally(quiz, { text }));
    expect(judged.map(({ verdict, isCorrect }) => [verdict, isCorrect])).toEqual([
      ['right', true],
      ['close', true],
      ['right', true],
      ['wrong', false],
    ]);
    const after = quizzes.withVerdict(quiz, judgeLocally(quiz, { text: 'paese' }));
    expect(quizzes.missedQuestions(after).map(quizzes.missedWord)).toEqual([
      { prompt: 'city', gloss: undefined, correct: 'la città', also: ['il centro'], chosen: 'paese' },
    ]);
  });

  it('of a game are the user’s own, including those without an answer', () => {
    const [house, cat] = missed.map(({ question }) => question);
    const round = (question = house, isCorrect = false, userId = 'ada') =>
      roundOf({ question: question ?? null, answers: [{ userId, selectedOptionId: null, isCorrect, points: 0 }] });
    const resolved = [round(house), round(cat, true), round(cat, false, 'ben')];
    expect(missedBy('ada', { ...EMPTY_STATE, resolved }, () => null)).toEqual([missed[0]]);
  });
});
