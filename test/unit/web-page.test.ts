// The small pure parts of the page to play on.
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/client/api-error.ts';
import type { Lobby } from '../../src/lobby/schema.ts';
import { type AnswerResult, GameRequest } from '../../src/singleplayer/schema.ts';
import type { Deck } from '../../src/vocabulary/schema.ts';
import { nameDevice } from '../../src/web/account/device-name.ts';
import { remainingMs, remainingSeconds, startCountdown } from '../../src/web/clock.ts';
import {
  chooseDeck,
  deckOf,
  type OfferedDeck,
  questionCounts,
  swapDirection,
} from '../../src/web/deck-choice.ts';
import { EMPTY_STATE } from '../../src/web/game-state.ts';
import { de as german } from '../../src/web/i18n/de.ts';
import { en } from '../../src/web/i18n/en.ts';
import { es as spanish } from '../../src/web/i18n/es.ts';
import { fr as french } from '../../src/web/i18n/fr.ts';
import { it as italian } from '../../src/web/i18n/it.ts';
import { CAPACITIES, choicesWith, notYet } from '../../src/web/lobby-choices.ts';
import { judgeHere, missedBy, practise } from '../../src/web/practice.ts';
import * as quizzes from '../../src/web/quiz-state.ts';
import { codeOrLink, PAGE_PATHS, routeOf, safeNext } from '../../src/web/routes.ts';
import { nextStep } from '../../src/web/stage/next-step.ts';
import { leadingAndOwn, placesOf, pointsBehind } from '../../src/web/standings.ts';

describe('the clock', () => {
  const countdown = startCountdown({ remainingMs: 4200, durationMs: 15_000 }, 100_000);

  it('counts from what the service said was left', () => {
    expect(remainingMs(countdown, 100_000)).toBe(4200);
    expect(remainingMs(countdown, 103_000)).toBe(1200);
  });

  it('stops at nothing, and never shows more than a round', () => {
    expect(remainingMs(countdown, 200_000)).toBe(0);
    expect(remainingMs(countdown, 0)).toBe(15_000);
  });

  it('says whole seconds as people count them', () => {
    expect(
      [100_000, 103_300, 104_199, 104_200].map((at) => remainingSeconds(countdown, at)),
    ).toEqual([5, 1, 1, 0]);
  });
});

describe('the choice of a deck', () => {
  const deck = (
    sourceLanguage: Deck['sourceLanguage'],
    targetLanguage: Deck['targetLanguage'],
    difficulty: Deck['difficulty'] = 'A1',
    pos: Deck['pos'] = 'noun',
    questions = 50,
  ): OfferedDeck => ({
    ...{ sourceLanguage, targetLanguage, difficulty, pos },
    ...{ terms: 60, questions, sources: [] },
  });
  const decks = [
    deck('en', 'it'),
    deck('en', 'it', 'A2', 'verb'),
    deck('it', 'en', 'A2'),
    deck('fr', 'de', 'A1', 'noun', 0),
  ];

  it('offers only what leads to words, and takes what was wanted', () => {
    const wanted = deck('en', 'it', 'A2', 'verb');
    expect(chooseDeck(decks, wanted)).toEqual({
      sourceLanguage: ['en', 'it'],
      targetLanguage: ['it'],
      difficulty: ['A1', 'A2'],
      pos: ['verb'],
      deck: wanted,
    });
  });

  it('gives way where there are no words of that kind', () => {
    expect(chooseDeck(decks, deck('en', 'it', 'A1', 'adverb'))?.deck).toEqual(deck('en', 'it'));
    expect(chooseDeck(decks, deck('es', 'fr', 'C2'))?.deck.sourceLanguage).toBe('en');
  });

  it('does without decks that are too small for a question, and without any', () => {
    expect(chooseDeck(decks, deck('fr', 'de'))?.sourceLanguage).not.toContain('fr');
    expect(chooseDeck([], deck('en', 'it'))).toBeNull();
  });

  it('can be turned round', () => {
    expect(swapDirection(deck('en', 'it'))).toMatchObject({
      sourceLanguage: 'it',
      targetLanguage: 'en',
    });
  });

  it('what is asked for is a deck alone, whatever else is told of it', () => {
    const [offered] = decks as [OfferedDeck];
    expect(GameRequest.safeParse(offered).success).toBe(false);
    expect(GameRequest.parse(deckOf(offered))).toMatchObject(deckOf(offered));
  });

  it('offers as many questions as there are words', () => {
    expect(questionCounts(24, 50)).toEqual([5, 10, 20]);
    expect(questionCounts(500, 50)).toEqual([5, 10, 20, 30, 50]);
    expect(questionCounts(4, 50)).toEqual([4]);
  });
});

describe('a quiz for one', () => {
  const session = {
    sessionId: 's',
    expiresAt: '2026-11-21T09:30:00.000Z',
    questions: ['house', 'cat', 'dog'].map((prompt) => ({
      questionId: prompt,
      prompt,
      options: [0, 1, 2, 3].map((optionId) => ({ optionId, text: `${prompt} ${optionId}` })),
      commitment: '',
    })),
  };
  const settings = {
    pos: 'noun',
    sourceLanguage: 'en',
    targetLanguage: 'it',
    difficulty: 'A1',
    questionCount: 3,
  } as const;
  const verdict = (questionId: string, isCorrect: boolean, correct: number): AnswerResult => ({
    sessionId: 's',
    questionId,
    selectedOptionId: 1,
    correctOptionId: isCorrect ? 1 : 2,
    nonce: '',
    isCorrect,
    score: { correct, answered: 1, total: 3 },
  });

  it('goes from question to question, with the service’s score, to the words that were missed', () => {
    let quiz = quizzes.startQuiz(settings, session);
    expect(quizzes.questionAt(quiz)?.prompt).toBe('house');
    expect(quizzes.verdictAt(quiz)).toBeNull();
    quiz = quizzes.judged(quiz, verdict('house', false, 0));
    expect(quizzes.verdictAt(quiz)).toMatchObject({ isCorrect: false });
    quiz = quizzes.goOn(quiz);
    quiz = quizzes.goOn(quizzes.lost(quiz));
    quiz = quizzes.goOn(quizzes.judged(quiz, verdict('dog', true, 2)));
    expect(quizzes.questionAt(quiz)).toBeNull();
    expect(quiz.correct).toBe(2);
    expect(quizzes.missedQuestions(quiz).map(quizzes.missedWord)).toEqual([
      { prompt: 'house', gloss: undefined, correct: 'house 2', chosen: 'house 1' },
    ]);
  });
});

describe('the words that were missed', () => {
  const missed = ['house', 'cat'].map((prompt) => ({
    question: {
      questionId: prompt,
      prompt,
      options: [0, 1, 2, 3].map((optionId) => ({ optionId, text: `${prompt} ${optionId}` })),
      commitment: '',
    },
    correctOptionId: 2,
    selectedOptionId: null,
  }));
  /** Draws the last of what is left. */
  const last = (bound: number) => bound - 1;

  it('are practised in another order, and judged by what is known of them', () => {
    let quiz = practise(missed, {}, last, 'ABC123');
    expect(quiz.session.questions.map(({ prompt }) => prompt)).toEqual(['cat', 'house']);
    const [cat] = quiz.session.questions;
    expect(cat?.options).toEqual(
      ['cat 3', 'cat 0', 'cat 1', 'cat 2'].map((text, optionId) => ({ optionId, text })),
    );
    expect(judgeHere(quiz, 3)).toMatchObject({ isCorrect: true, score: { correct: 1 } });
    quiz = quizzes.goOn(quizzes.judged(quiz, judgeHere(quiz, 3)));
    quiz = quizzes.goOn(quizzes.judged(quiz, judgeHere(quiz, 0)));
    expect(quiz.correct).toBe(1);
    expect(quizzes.missedQuestions(quiz).map(quizzes.missedWord)).toEqual([
      { prompt: 'house', gloss: undefined, correct: 'house 2', chosen: 'house 3' },
    ]);
  });

  it('of a game are those of oneself, those without an answer too', () => {
    const [house, cat] = missed.map(({ question }) => question);
    const round = (question = house, isCorrect = false, userId = 'ada') => ({
      ...{ number: 1, question: question ?? null, correctOptionId: 2, reason: 'timeout' as const },
      answers: [{ userId, selectedOptionId: null, isCorrect, points: 0 }],
      isLast: false,
    });
    const resolved = [round(house), round(cat, true), round(cat, false, 'ben')];
    expect(missedBy('ada', { ...EMPTY_STATE, resolved })).toEqual([missed[0]]);
  });
});

describe('the next step of a host who presents', () => {
  const result = {
    ...{ number: 1, question: null, correctOptionId: 0, reason: 'timeout' as const },
    ...{ answers: [], isLast: false },
  };

  it.each([
    ['waiting', null, 'start'],
    ['round', null, 'skip'],
    ['intermission', result, 'next'],
    // Without intermissions the next round is open behind the result.
    ['round', result, 'pass'],
    ['finished', result, 'pass'],
    ['finished', null, 'again'],
    ['judging', null, null],
  ] as const)('in the phase %s, with the result %o: %s', (phase, shown, step) =>
    expect(nextStep(phase, shown)).toBe(step),
  );
});

describe('the standings', () => {
  const all = placesOf(
    Array.from({ length: 30 }, (_, index) => ({
      userId: `u${index}`,
      name: `Player ${index}`,
      score: 100 - index,
    })),
  );
  const shown = (ownId: string) => leadingAndOwn(all, ownId).map(({ place }) => place);

  it('name who leads, and oneself with one’s neighbours', () => {
    expect(shown('u19')).toEqual([1, 2, 3, 4, 5, 19, 20, 21]);
    expect(shown('u29')).toEqual([1, 2, 3, 4, 5, 29, 30]);
    expect(shown('u1')).toEqual([1, 2, 3, 4, 5]);
    expect(shown('elsewhere')).toEqual([1, 2, 3, 4, 5]);
    expect(leadingAndOwn(all.slice(0, 6), 'u0')).toHaveLength(6);
  });

  it('say how far it is to the next place', () => {
    expect(pointsBehind(all, 'u19')).toBe(1);
    expect(pointsBehind(all, 'u0')).toBeNull();
    expect(pointsBehind(all, 'elsewhere')).toBeNull();
  });
});

describe('what may succeed later', () => {
  it.each([
    [0, 'OFFLINE', true],
    [503, 'UNAVAILABLE', true],
    // Asked again it would be answered, and the fraud forgotten.
    [0, 'COMMITMENT_BROKEN', false],
    [409, 'LOBBY_FULL', false],
  ])('%i %s: %s', (status, code, isPassing) => {
    expect(new ApiError(status, code, '').isPassing).toBe(isPassing);
  });
});

describe('the settings of a lobby', () => {
  it('are offered as far as they are possible, with what holds among them', () => {
    expect(choicesWith([3, 5, 10, 20], 3, (count) => count <= 12)).toEqual([3, 5, 10]);
    expect(choicesWith([3, 5, 10], 7)).toEqual([3, 5, 7, 10]);
    expect(choicesWith(CAPACITIES, 8, (capacity) => capacity >= 30)).toEqual([8, 50, 200]);
  });

  it('are shown as chosen until the service says that they hold', () => {
    const lobby = { capacity: 8, settings: { rounds: 3, scoring: 'speed' } } as Lobby;
    expect(notYet({ rounds: 5, scoring: 'speed', capacity: 20 }, lobby)).toEqual({
      rounds: 5,
      capacity: 20,
    });
  });
});

describe('a device', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0',
      'Edge',
      'Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari',
      'iPhone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
      'Chrome',
      'Android',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0', 'Firefox', 'Linux'],
  ])('is named by what its browser says: %s', (userAgent, browser, system) => {
    expect(nameDevice(userAgent)).toEqual({ browser, system });
  });

  it('that says nothing has no name', () => {
    expect(nameDevice(null)).toEqual({});
    expect(nameDevice('curl/8')).toEqual({});
  });
});

describe('the addresses', () => {
  it('lead to their screens', () => {
    expect(routeOf('/')).toEqual({ name: 'home' });
    expect(routeOf('/lobby/7kq2zd')).toEqual({ name: 'lobby', code: '7kq2zd' });
    expect(routeOf('/lobby/7kq2zd/screen')).toEqual({ name: 'screen', code: '7kq2zd' });
    expect(routeOf('/lobby/7kq2zd/else')).toEqual({ name: 'unknown' });
    expect(routeOf('/lobby/')).toEqual({ name: 'unknown' });
    expect(routeOf('/constructor')).toEqual({ name: 'unknown' });
    const plain = PAGE_PATHS.filter((path) => !path.includes(':'));
    expect(plain.map((path) => routeOf(path).name)).not.toContain('unknown');
  });

  it.each(['https://evil.example', '//evil.example', '/lobby/../../x', '/docs', null])(
    'what comes after a sign-in stays on the page: %s leads home',
    (next) => expect(safeNext(next)).toBe('/'),
  );

  it('a link to a lobby is as good as its code', () => {
    expect(codeOrLink('7KQ2ZD')).toBe('7KQ2ZD');
    expect(codeOrLink('look: https://quiz.example/lobby/7KQ2ZD?x=1')).toBe('7KQ2ZD');
  });
});

describe('the texts', () => {
  type Texts = Record<string, unknown>;

  /** Every text of a language by its path, with samples filled in. */
  function texts(tree: Texts, path = ''): [string, string][] {
    return Object.entries(tree).flatMap(([key, value]): [string, string][] => {
      if (typeof value === 'function') return [[path + key, String(value('Ada', 'Ben'))]];
      return typeof value === 'string'
        ? [[path + key, value]]
        : texts(value as Texts, `${path}${key}.`);
    });
  }

  const translations = [
    ['Italian', italian, ['email', 'password']],
    ['German', german, ['lobbyCode', 'account.profile']],
    ['Spanish', spanish, []],
    ['French', french, ['lobbyCode', 'pointsInWords', 'questions', 'scoring']],
  ] as const;

  it.each(translations)('are all there in %s, and translated', (_language, tree, alike) => {
    const [english, translated] = [new Map(texts(en)), new Map(texts(tree))];
    expect([...translated.keys()].sort()).toEqual([...english.keys()].sort());
    const same = [...english].filter(([key, text]) => translated.get(key) === text);
    const international: string[] = ['appName', 'hosting.seconds', ...alike];
    expect(same.map(([key]) => key).filter((key) => !international.includes(key))).toEqual([]);
  });

  it('know the codes with which a game can be refused', () => {
    const codes = [
      ...['LOBBY_NOT_FOUND', 'LOBBY_FULL', 'LOBBY_NOT_WAITING', 'RATE_LIMITED'],
      ...['KICKED', 'LOBBY_LOCKED', 'COMMITMENT_BROKEN', 'LIST_NOT_FOUND'],
    ];
    for (const { errors } of [en, italian, german, spanish, french])
      expect(codes.filter((code) => !errors[code])).toEqual([]);
  });
});
