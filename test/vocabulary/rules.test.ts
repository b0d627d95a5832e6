// The rules by which questions are built from a deck, and texts are compared.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../src/errors.ts';
import {
  type Accepted,
  buildQuestions,
  type KeyedQuestion,
  normalise,
  preparePool,
  type Term,
  wordKey,
} from '../../src/vocabulary/rules.ts';
import { play, seeded, stored, type TermTexts, words } from '../support/terms.ts';

/** Words with several equal spellings, which a plain comparison would not recognise. */
const WORDS = fc
  .tuple(
    fc.constantFrom('casa', 'Straße', 'città', 'Œuvre', 'né', 'auto', 'perché', 'x', 'y', 'z', 'ñu'),
    fc.constantFrom('', '1', '2', '3'),
    fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => text.toUpperCase(),
      (text) => text.toLowerCase(),
      (text) => text.normalize('NFD'),
      (text) => ` ${text}\u00A0`,
    ),
  )
  .map(([word, number, spell]) => spell(`${word}${number}`));

const TERMS = fc.record({
  sourceText: WORDS,
  targetText: WORDS,
  sourceGloss: fc.option(fc.constantFrom('a place', 'A PLACE', 'a thing'), { freq: 2 }),
});

/** Removes terms that PostgreSQL's unique constraint excludes: a prompt has each translation once. */
function unique(written: TermTexts[]): Term[] {
  const terms = written.map(stored);
  return [...new Map(terms.map((term) => [`${term.sourceKey}\n${term.targetKey}`, term])).values()];
}

/** A deck, the accepted translations of other decks of its direction, the number of questions, and a seed. */
const GAMES = fc.record({
  terms: fc.array(TERMS, { maxLength: 60 }).map(unique),
  elsewhere: fc.array(TERMS, { maxLength: 20 }).map(unique),
  count: fc.integer({ min: 1, max: 20 }),
  seed: fc.integer(),
});

const RUNS = { numRuns: 500, seed: 20_261_121 };

/** @returns the questions of a game, or the code by which it is refused */
function playOrCode(terms: Term[], elsewhere: Term[], count: number, seed: number): KeyedQuestion[] | string {
  try {
    return play(preparePool(terms, elsewhere), count, seed);
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

/** Runs `check` for every game that can be played. */
function forEveryGame(
  check: (game: { questions: KeyedQuestion[]; terms: Term[]; accepted: Accepted[]; count: number }) => void,
): void {
  let played = 0;
  const property = fc.property(GAMES, ({ terms, elsewhere, count, seed }) => {
    const questions = playOrCode(terms, elsewhere, count, seed);
    if (typeof questions === 'string') return;
    played += 1;
    check({ questions, terms, accepted: [...terms, ...elsewhere], count });
  });
  fc.assert(property, RUNS);
  // Without this limit the property could hold for lack of games.
  expect(played).toBeGreaterThan(100);
}

describe('every question', () => {
  test('shows one term: its prompt, its gloss if it has one, its translation among 4 options', () => {
    forEveryGame(({ questions, terms, count }) => {
      expect(questions).toHaveLength(count);
      for (const { question, correctOptionId } of questions) {
        expect(question.options.map((option) => option.optionId)).toEqual([0, 1, 2, 3]);
        const text = question.options[correctOptionId]?.text;
        const { prompt, gloss = null } = question;
        const isShown = ({ sourceText, targetText, sourceGloss }: Term) =>
          sourceText === prompt && targetText === text && sourceGloss === gloss;
        expect(terms.some(isShown)).toBe(true);
        expect('gloss' in question).toBe(gloss !== null);
      }
    });
  });

  test('has different distractors of the same deck, none of them another accepted translation of its prompt', () => {
    forEveryGame(({ questions, terms, accepted }) => {
      const deck = new Set(terms.map((term) => term.targetText));
      for (const { question, correctOptionId } of questions) {
        const prompt = normalise(question.prompt);
        const right = accepted.filter(({ sourceKey }) => sourceKey === prompt).map(({ targetKey }) => targetKey);
        expect(new Set(question.options.map(({ text }) => normalise(text))).size).toBe(4);
        for (const { optionId, text } of question.options) {
          expect(deck).toContain(text);
          if (optionId !== correctOptionId) expect(right).not.toContain(normalise(text));
        }
      }
    });
  });

  test('has a prompt and gloss, and an id, of its own in the quiz', () => {
    forEveryGame(({ questions }) => {
      const asked = questions.map(({ question }) => wordKey(question));
      const ids = questions.map(({ question }) => question.questionId);
      for (const different of [asked, ids]) expect(new Set(different).size).toBe(questions.length);
    });
  });
});

test('a game is refused only if it cannot be played', () => {
  const property = fc.property(GAMES, ({ terms, elsewhere, count, seed }) => {
    const outcome = playOrCode(terms, elsewhere, count, seed);
    const prompts = Map.groupBy(terms, (term) => [term.sourceKey, normalise(term.sourceGloss ?? '')].join('\n'));
    const playable = [...prompts.values()].filter(([term]) => {
      const translations = [...terms, ...elsewhere].filter(({ sourceKey }) => sourceKey === term?.sourceKey);
      const right = new Set(translations.map(({ targetKey }) => targetKey));
      const wrong = terms.map(({ targetKey }) => targetKey).filter((key) => !right.has(key));
      return new Set(wrong).size >= 3;
    });
    if (terms.length === 0) expect(outcome).toBe('NO_MATCHING_TERMS');
    else if (prompts.size < count) expect(outcome).toBe('NOT_ENOUGH_TERMS');
    else if (playable.length < count) expect(outcome).toBe('NOT_ENOUGH_DISTRACTORS');
    else expect(outcome).toBeInstanceOf(Array);
  });
  fc.assert(property, RUNS);
});

const SYNONYMS = ['a', 'b'].map((targetText) => ({ sourceText: 'car', targetText, sourceGloss: null }));

test.each([
  ['the number of terms', words(7), 8, 'Only 7 terms match.'],
  [
    'that of different questions, if synonyms of one prompt leave too few',
    [...SYNONYMS, ...words(4)],
    6,
    'Only 6 terms match, which is enough for 5 different questions.',
  ],
])('NOT_ENOUGH_TERMS says %s', (_what, terms, count, message) => {
  const pool = preparePool(terms.map(stored), []);
  expect(() => play(pool, count)).toThrow(new AppError('NOT_ENOUGH_TERMS', message));
});

test('a prompt that is not in the pool gets no distractor that is right for it, also if a translation was added later', () => {
  const pool = preparePool(words(9).map(stored), []);
  const term = stored({ sourceText: 'get', targetText: 't-get', sourceGloss: null });
  for (const right of [['t-get'], ['t-get', 't-w0', 't-w1', 't-w2', 't-w3', 't-w4']])
    for (let seed = 0; seed < 20; seed++) {
      const drawn = pool.distractors(term, new Set(right), seeded(seed)) ?? [];
      expect(new Set([...drawn, ...right]).size).toBe(right.length + 3);
    }
});

describe('texts are compared after Unicode NFC, case folding and trimming', () => {
  test('so that spaces around them make no difference, and diacritics and letters do', () => {
    expect(normalise(' CASA\t')).toBe(normalise('casa'));
    for (const [one, other] of ['pero però', 'ano año', 'schon schön', 'casa caso'].map((pair) => pair.split(' ')))
      expect(normalise(one ?? '')).not.toBe(normalise(other ?? ''));
  });

  test('so that the upper, lower and decomposed forms of every character are equal to it', () => {
    const different: string[] = [];
    // No character of the planes behind has a case or is composed.
    for (let code = 0; code < 0x30000; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const text = `x${String.fromCodePoint(code)}x`;
      const key = normalise(text);
      const forms = new Set([text.toUpperCase(), text.toLowerCase(), text.normalize('NFD'), key]);
      forms.delete(text);
      if ([...forms].some((form) => normalise(form) !== key)) different.push(code.toString(16));
    }
    expect(different).toEqual([]);
  });
});

/** @returns Pearson's statistic, by which `counts` differ from a uniform distribution */
function chiSquare(counts: number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe('the random selection', () => {
  const pool = preparePool(words(40).map(stored), []);
  const games = Array.from({ length: 800 }, (_, seed) => play(pool, 10, seed));

  test('puts the correct option at each position with equal probability', () => {
    const counts = [0, 0, 0, 0];
    for (const { correctOptionId } of games.flat()) counts[correctOptionId] = (counts[correctOptionId] ?? 0) + 1;
    // With 3 degrees of freedom, chance exceeds this once in a thousand; the seeds are fixed.
    expect(chiSquare(counts)).toBeLessThan(16.27);
  });

  test('draws every term with equal probability, at every position', () => {
    for (const questions of [games.flat(), games.flatMap((game) => game.slice(0, 1))]) {
      const counts = Map.groupBy(questions, ({ question }) => question.prompt);
      expect(counts.size).toBe(40);
      // With 39 degrees of freedom, chance exceeds this once in a thousand.
      expect(chiSquare([...counts.values()].map((drawn) => drawn.length))).toBeLessThan(72.05);
    }
  });

  test('asks each translation of a prompt', () => {
    const twins = words(40).flatMap((word, at) => [word, { ...word, targetText: `u${at}` }]);
    const both = preparePool(twins.map(stored), []);
    const questions = Array.from({ length: 200 }, (_, seed) => play(both, 10, seed)).flat();
    const right = questions.map(({ question, correctOptionId }) => question.options[correctOptionId]?.text);
    expect(new Set(right).size).toBe(80);
  });

  test('uses every translation as a distractor, and none much more often than the others', () => {
    const all = games.flat();
    const wrong = all.flatMap(({ question, correctOptionId }) => question.options.toSpliced(correctOptionId, 1));
    const counts = Map.groupBy(wrong, ({ text }) => text);
    expect(counts.size).toBe(40);
    for (const drawn of counts.values()) expect(drawn.length).toBeLessThan((2 * wrong.length) / 40);
  });

  test('costs the same in a large pool as in a small one', () => {
    const drawsFrom = (size: number) => {
      let draws = 0;
      const random = seeded(7);
      const pool = preparePool(words(size).map(stored), []);
      const counted = (bound: number) => {
        draws += 1;
        return random(bound);
      };
      Array.from(buildQuestions({ pool, count: 10, random: counted, newId: () => 'id' }));
      return draws;
    };
    expect(drawsFrom(20_000)).toBeLessThan(1.5 * drawsFrom(200));
  });
});
