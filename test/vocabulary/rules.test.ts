// The rules by which questions are built from a deck.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { type Accepted, type KeyedQuestion, normalise, preparePool, type Term } from '../../src/vocabulary/rules.ts';
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

/** Runs `check` for every game that can be played; the others must throw an AppError. */
function forEveryGame(
  check: (game: { questions: KeyedQuestion[]; terms: Term[]; accepted: Accepted[]; count: number }) => void,
): void {
  let played = 0;
  fc.assert(
    fc.property(GAMES, ({ terms, elsewhere, count, seed }) => {
      let questions: KeyedQuestion[];
      try {
        questions = play(preparePool(terms, elsewhere), count, seed);
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
        return;
      }
      played += 1;
      check({ questions, terms, accepted: [...terms, ...elsewhere], count });
    }),
    { numRuns: 500, seed: 20_261_121 },
  );
  // Without this limit the property could hold for lack of games.
  expect(played).toBeGreaterThan(100);
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  return 'none';
}

describe('every question', () => {
  test('shows one term: its prompt, its gloss if it has one, its translation among 4 options', () => {
    forEveryGame(({ questions, terms, count }) => {
      expect(questions).toHaveLength(count);
      for (const { question, correctOptionId } of questions) {
        expect(question.options.map((option) => option.optionId)).toEqual([0, 1, 2, 3]);
        const text = question.options[correctOptionId]?.text;
        const shown = terms.find(
          (term) =>
            term.sourceText === question.prompt &&
            term.targetText === text &&
            term.sourceGloss === (question.gloss ?? null),
        );
        expect(shown).toBeDefined();
        expect('gloss' in question).toBe(shown?.sourceGloss !== null);
      }
    });
  });

  test('has different distractors of the same deck, none of them another accepted translation of its prompt', () => {
    forEveryGame(({ questions, terms, accepted }) => {
      const deck = new Set(terms.map((term) => term.targetText));
      for (const { question, correctOptionId } of questions) {
        const right = accepted
          .filter((term) => term.sourceKey === normalise(question.prompt))
          .map((term) => term.targetKey);
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
      const asked = questions.map(
        ({ question }) => `${normalise(question.prompt)}\n${normalise(question.gloss ?? '')}`,
      );
      const ids = questions.map(({ question }) => question.questionId);
      for (const different of [asked, ids]) expect(new Set(different).size).toBe(questions.length);
    });
  });
});

test('a game is refused only if it cannot be played', () => {
  fc.assert(
    fc.property(GAMES, ({ terms, elsewhere, count, seed }) => {
      const code = codeOf(() => play(preparePool(terms, elsewhere), count, seed));
      const prompts = Map.groupBy(terms, (term) => [term.sourceKey, normalise(term.sourceGloss ?? '')].join('\n'));
      const playable = [...prompts.values()].filter(([term]) => {
        const right = new Set(
          [...terms, ...elsewhere]
            .filter(({ sourceKey }) => sourceKey === term?.sourceKey)
            .map(({ targetKey }) => targetKey),
        );
        const wrong = terms.map(({ targetKey }) => targetKey).filter((key) => !right.has(key));
        return new Set(wrong).size >= 3;
      });
      if (terms.length === 0) expect(code).toBe('NO_MATCHING_TERMS');
      else if (prompts.size < count) expect(code).toBe('NOT_ENOUGH_TERMS');
      else if (playable.length < count) expect(code).toBe('NOT_ENOUGH_DISTRACTORS');
      else expect(code).toBe('none');
    }),
    { numRuns: 500, seed: 20_261_121 },
  );
});

describe('refusals', () => {
  test('are NOT_ENOUGH_TERMS with the number of terms if fewer than questionCount match', () => {
    const pool = preparePool(words(7).map(stored), []);
    expect(() => play(pool, 8)).toThrow(new AppError('NOT_ENOUGH_TERMS', 'Only 7 terms match.'));
    expect(play(pool, 7)).toHaveLength(7);
  });

  test('are NOT_ENOUGH_TERMS if synonyms of one prompt leave too few different questions, and say so', () => {
    const synonyms = ['a', 'b'].map((targetText) => ({ sourceText: 'car', targetText, sourceGloss: null }));
    const pool = preparePool([...synonyms, ...words(4)].map(stored), []);
    expect(() => play(pool, 6)).toThrow('Only 6 terms match, which is enough for 5 different questions.');
  });
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
