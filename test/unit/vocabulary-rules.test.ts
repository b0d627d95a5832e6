import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { createRandomInt } from '../../src/platform/random.ts';
import {
  type Accepted,
  buildQuestions,
  type KeyedQuestion,
  normalise,
  type Pool,
  preparePool,
  type Term,
} from '../../src/vocabulary/rules.ts';
import { seeded } from '../support/seeded.ts';

/** Words that are equal in several spellings, so that comparing them as they stand would fail. */
const WORDS = fc
  .tuple(
    fc.constantFrom(
      'casa',
      'Straße',
      'città',
      'Œuvre',
      'né',
      'auto',
      'perché',
      'x',
      'y',
      'z',
      'ñu',
    ),
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

type Written = { sourceText: string; targetText: string; sourceGloss: string | null };

function stored({ sourceText, targetText, sourceGloss }: Written): Term {
  const keys = { sourceKey: normalise(sourceText), targetKey: normalise(targetText) };
  return { sourceText, targetText, sourceGloss, field: null, ...keys };
}

/** As PostgreSQL keeps them: a prompt has a translation once. */
function unique(written: Written[]): Term[] {
  const terms = written.map(stored);
  return [...new Map(terms.map((term) => [`${term.sourceKey}\n${term.targetKey}`, term])).values()];
}

/** A deck with what other decks of its direction accept, the number of questions, and a seed. */
const GAMES = fc.record({
  terms: fc.array(TERMS, { maxLength: 60 }).map(unique),
  elsewhere: fc.array(TERMS, { maxLength: 20 }).map(unique),
  count: fc.integer({ min: 1, max: 20 }),
  seed: fc.integer(),
});

function play(pool: Pool, count: number, seed = 1): KeyedQuestion[] {
  const random = seeded(seed);
  let id = 0;
  return buildQuestions({ pool, count, random, newId: () => `question-${id++}` });
}

/** Runs `check` with every game that can be played, and what refuses the others. */
function forEveryGame(
  check: (game: {
    questions: KeyedQuestion[];
    terms: Term[];
    accepted: Accepted[];
    count: number;
  }) => void,
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
  // Otherwise the property would hold of nothing.
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

const words = (count: number, prefix = 'w') =>
  Array.from({ length: count }, (_, at) => ({
    sourceText: `${prefix}${at}`,
    targetText: `t-${prefix}${at}`,
    sourceGloss: null,
  }));

describe('every question', () => {
  test('has exactly 4 options, numbered by their position', () => {
    forEveryGame(({ questions, count }) => {
      expect(questions).toHaveLength(count);
      for (const { question, correctOptionId } of questions) {
        expect(question.options.map((option) => option.optionId)).toEqual([0, 1, 2, 3]);
        expect(correctOptionId).toBeOneOf([0, 1, 2, 3]);
      }
    });
  });

  test('shows one term: its prompt, its gloss if it has one, its translation', () => {
    forEveryGame(({ questions, terms }) => {
      for (const { question, correctOptionId } of questions) {
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

  test('has distractors of the same deck that differ from the answer and from each other after normalisation', () => {
    forEveryGame(({ questions, terms }) => {
      const deck = new Set(terms.map((term) => term.targetText));
      for (const { question } of questions) {
        expect(new Set(question.options.map(({ text }) => normalise(text))).size).toBe(4);
        for (const { text } of question.options) expect(deck).toContain(text);
      }
    });
  });

  test('has no distractor that is another accepted translation of the same prompt, whatever its gloss and deck', () => {
    forEveryGame(({ questions, accepted }) => {
      for (const { question, correctOptionId } of questions) {
        const right = accepted
          .filter((term) => term.sourceKey === normalise(question.prompt))
          .map((term) => term.targetKey);
        for (const { optionId, text } of question.options)
          if (optionId !== correctOptionId) expect(right).not.toContain(normalise(text));
      }
    });
  });
});

test('no two questions of one session ask the same prompt with the same gloss', () => {
  forEveryGame(({ questions }) => {
    const asked = questions.map(
      ({ question }) => `${normalise(question.prompt)}\n${normalise(question.gloss ?? '')}`,
    );
    expect(new Set(asked).size).toBe(asked.length);
    const ids = questions.map(({ question }) => question.questionId);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test('a prompt with two glosses may be asked once for each', () => {
  const terms = [
    { sourceText: 'bank', targetText: 'banca', sourceGloss: 'money' },
    { sourceText: 'bank', targetText: 'riva', sourceGloss: 'river' },
    ...words(3),
  ].map(stored);
  const prompts = play(preparePool(terms, []), 5).map(({ question }) => question.prompt);
  expect(prompts.toSorted()).toEqual(['bank', 'bank', 'w0', 'w1', 'w2']);
});

test('a game is refused only when it can not be played', () => {
  fc.assert(
    fc.property(GAMES, ({ terms, elsewhere, count, seed }) => {
      const code = codeOf(() => play(preparePool(terms, elsewhere), count, seed));
      const prompts = Map.groupBy(terms, (term) =>
        [term.sourceKey, normalise(term.sourceGloss ?? '')].join('\n'),
      );
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
  test('no term matches the filter: NO_MATCHING_TERMS', () => {
    expect(codeOf(() => play(preparePool([], []), 1))).toBe('NO_MATCHING_TERMS');
  });

  test('fewer than questionCount match: NOT_ENOUGH_TERMS says how many there are', () => {
    const pool = preparePool(words(7).map(stored), []);
    expect(() => play(pool, 8)).toThrow(new AppError('NOT_ENOUGH_TERMS', 'Only 7 terms match.'));
    expect(play(pool, 7)).toHaveLength(7);
  });

  test('synonyms of one prompt are enough for one question only, and NOT_ENOUGH_TERMS says so', () => {
    const synonyms = ['a', 'b'].map((targetText) => ({
      sourceText: 'car',
      targetText,
      sourceGloss: null,
    }));
    const pool = preparePool([...synonyms, ...words(4)].map(stored), []);
    expect(() => play(pool, 6)).toThrow(
      'Only 6 terms match, which is enough for 5 different questions.',
    );
  });

  test('fewer than 3 usable distractors: other terms are tried, then NOT_ENOUGH_DISTRACTORS', () => {
    // Everything else in the deck is right for "get", so that it can never be asked.
    const terms = [{ sourceText: 'get', targetText: 't-get', sourceGloss: null }, ...words(5)];
    const elsewhere = words(5).map((term) => ({ ...term, sourceText: 'get' }));
    const pool = preparePool(terms.map(stored), elsewhere.map(stored));
    for (let seed = 0; seed < 50; seed++) {
      const prompts = play(pool, 5, seed).map(({ question }) => question.prompt);
      expect(prompts).not.toContain('get');
    }
    expect(codeOf(() => play(pool, 6))).toBe('NOT_ENOUGH_DISTRACTORS');
    expect(codeOf(() => play(preparePool(words(3).map(stored), []), 1))).toBe(
      'NOT_ENOUGH_DISTRACTORS',
    );
  });
});

test('a prompt that the pool does not hold is never given what is right for it, nor what has become right since', () => {
  const pool = preparePool(words(9).map(stored), []);
  const term = stored({ sourceText: 'get', targetText: 't-get', sourceGloss: null });
  const draw = (right: string[]) =>
    Array.from(
      { length: 20 },
      (_, seed) => pool.distractors(term, new Set(right), seeded(seed))?.distractors,
    );
  const shown = new Set(draw(['t-get']).flat());
  expect(shown.size).toBeGreaterThanOrEqual(3);
  expect(shown).not.toContain('t-get');
  const later = [...shown].slice(0, 4).map((text) => normalise(String(text)));
  const shownLater = draw(['t-get', ...later])
    .flat()
    .map((text) => normalise(String(text)));
  expect(shownLater.filter((text) => later.includes(text))).toEqual([]);
});

/** How far `counts` are from all being equal: Pearson's statistic. */
function chiSquare(counts: number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe('chance', () => {
  const pool = preparePool(words(40).map(stored), []);
  const games = Array.from({ length: 800 }, (_, seed) => play(pool, 10, seed));

  test('the position of the correct option is uniform', () => {
    const counts = [0, 0, 0, 0];
    for (const { correctOptionId } of games.flat())
      counts[correctOptionId] = (counts[correctOptionId] ?? 0) + 1;
    // 3 degrees of freedom, exceeded by chance once in a thousand; the seeds are fixed.
    expect(chiSquare(counts)).toBeLessThan(16.27);
  });

  test('every term is drawn as often as any other, at every place', () => {
    for (const questions of [games.flat(), games.flatMap((game) => game.slice(0, 1))]) {
      const counts = Map.groupBy(questions, ({ question }) => question.prompt);
      expect(counts.size).toBe(40);
      // 39 degrees of freedom, once in a thousand.
      expect(chiSquare([...counts.values()].map((drawn) => drawn.length))).toBeLessThan(72.05);
    }
  });

  test('of the translations of a prompt each is asked, that which the prompt tells less often', () => {
    const twins = words(40).flatMap(({ sourceText: word }, at) =>
      [`${word}o`, `${'bcdfghj'[at % 7]}${at * 7919}`].map((targetText) => ({
        ...{ sourceText: word, targetText, sourceGloss: null },
      })),
    );
    const both = preparePool(twins.map(stored), []);
    const right = Array.from({ length: 200 }, (_, seed) => play(both, 10, seed))
      .flat()
      .map(({ question, correctOptionId }) => question.options[correctOptionId]?.text ?? '');
    expect(new Set(right).size).toBe(80);
    const told = right.filter((text) => text.startsWith('w')).length / right.length;
    expect(told).toBeGreaterThan(0.1);
    expect(told).toBeLessThan(0.4);
  });

  test('of a thousand translations of one prompt only a few are looked at for one question', () => {
    const many = words(1000).map((word) => ({ ...word, sourceText: 't-w' }));
    const pool = preparePool([...many, ...words(9, 'v')].map(stored), []);
    let draws = 0;
    for (let seed = 0; seed < 50; seed++) {
      const random = seeded(seed);
      const counted = (bound: number) => {
        draws += 1;
        return random(bound);
      };
      buildQuestions({ pool, count: 1, random: counted, newId: () => 'id' });
    }
    // Of a thousand each set of wrong options takes a thousand draws.
    expect(draws).toBeLessThan(50 * 5000);
  });

  test('every translation is a distractor, and none is much more often than the others', () => {
    const wrong = games
      .flat()
      .flatMap(({ question, correctOptionId }) =>
        question.options.filter((o) => o.optionId !== correctOptionId),
      );
    const counts = Map.groupBy(wrong, ({ text }) => text);
    expect(counts.size).toBe(40);
    const most = Math.max(...[...counts.values()].map((drawn) => drawn.length));
    expect(most).toBeLessThan((2 * wrong.length) / 40);
  });

  test('drawing costs the same from a large pool as from a small one', () => {
    const drawsFrom = (size: number) => {
      let draws = 0;
      const random = seeded(7);
      buildQuestions({
        pool: preparePool(words(size).map(stored), []),
        count: 10,
        random: (bound) => {
          draws += 1;
          return random(bound);
        },
        newId: () => 'id',
      });
      return draws;
    };
    expect(drawsFrom(20_000)).toBeLessThan(1.5 * drawsFrom(200));
  });

  test('a random whole number is below its bound and each is as likely, for bounds that divide nothing', () => {
    const random = seeded(3);
    for (const bound of [1, 2, 3, 7, 10, 2 ** 31 + 1]) {
      const counts = new Array<number>(Math.min(bound, 10)).fill(0);
      for (let draw = 0; draw < 20_000; draw++) {
        const number = random(bound);
        expect(Number.isInteger(number) && number >= 0 && number < bound).toBe(true);
        const bin = bound <= 10 ? number : Math.floor((number / bound) * 10);
        counts[bin] = (counts[bin] ?? 0) + 1;
      }
      // 9 degrees of freedom, once in a thousand. Without drawing again 2³¹ + 1 would be far off.
      expect(chiSquare(counts)).toBeLessThan(27.88);
    }
  });

  test('a random whole number is drawn again rather than favouring small ones', () => {
    const bits = [2 ** 32 - 1, 2 ** 31 + 1, 2 ** 31, 5];
    const random = createRandomInt((all) => {
      for (let at = 0; at < all.length; at++) all[at] = bits[at % bits.length] as number;
    });
    expect(random(2 ** 31 + 1)).toBe(2 ** 31);
    expect(random(10)).toBe(5);
  });
});

describe('texts are compared after Unicode NFC, case folding and trimming', () => {
  test.each([
    ['città', 'citta\u0300'],
    ['casa', ' CASA\t'],
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'strasse'],
    ['œuvre', 'Œuvre'],
    ['ΣΟΦΟΣ', 'σοφος'],
  ])('%s equals %s', (one, other) => {
    expect(normalise(one)).toBe(normalise(other));
  });

  test.each([
    ['pero', 'però'],
    ['ano', 'año'],
    ['schon', 'schön'],
    ['casa', 'caso'],
  ])('%s is not %s', (one, other) => {
    expect(normalise(one)).not.toBe(normalise(other));
  });

  test('whatever the character, its upper, lower and decomposed forms are equal to it', () => {
    const different: string[] = [];
    for (let code = 0; code < 0x110000; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const text = `x${String.fromCodePoint(code)}x`;
      const key = normalise(text);
      const forms = [text.toUpperCase(), text.toLowerCase(), text.normalize('NFD'), key];
      if (forms.some((form) => normalise(form) !== key)) different.push(code.toString(16));
    }
    expect(different).toEqual([]);
  });
});
