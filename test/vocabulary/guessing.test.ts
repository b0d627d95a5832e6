// A guesser who knows neither language compares the options by one trait, such as their length, and chooses the option
// with the most or the least of it. It gains nothing, and little where most words look like their translations: measured
// on a part of the built-in decks. [contract 3, 26]
import { expect, test } from 'vitest';
import {
  consonantLikeness,
  editLikeness,
  orderLikeness,
  pairLikeness,
  type Shape,
  shapeOf,
  sharedBeginning,
  sharedPiece,
} from '../../src/vocabulary/distractors/likeness.ts';
import type { RandomInt } from '../../src/vocabulary/random-order.ts';
import { buildQuestions, type KeyedQuestion, type Pool } from '../../src/vocabulary/rules.ts';
import { readBuiltInDecks, seeded } from '../support/terms.ts';

/** The number of games of ten questions that are drawn from each measured deck. */
const GAMES = 10;
/** Every nineteenth of the 480 decks is measured, which leaves out no part of speech and no level. */
const EVERY = 19;
/** Between these languages every seventh of the 144 decks is. */
const EVERY_SIMILAR = 7;
const SIMILAR_LANGUAGES = /^(it es|it fr|es it|es fr|fr it|fr es)/;
/**
 * The percentage points above chance that are allowed. Only the preferred translation is asked, and where it is a cognate
 * of the prompt, it mostly resembles the prompt more than any other word of the deck does. [contract 26]
 */
const POINTS_MAX = { all: 6, similar: 20 };

/** An option with the values from which traits are computed. */
interface SeenOption {
  text: string;
  position: number;
  shape: Shape;
  /** How often the text was an option in questions of this deck. */
  shown: number;
}

type Trait = (option: SeenOption, prompt: SeenOption, options: SeenOption[]) => number;

const TRAITS: Record<string, Trait> = {
  length: ({ text }) => text.length,
  'length, beside the prompt’s': ({ text }, prompt) => -Math.abs(text.length - prompt.text.length),
  'words, beside the prompt’s': ({ text }, prompt) => -Math.abs(wordsIn(text) - wordsIn(prompt.text)),
  position: ({ position }) => -position,
  'case, like the prompt’s': ({ text }, prompt) => Number(isUpper(text) === isUpper(prompt.text)),
  'case, like the others’': ({ text }, _, options) =>
    options.filter((other) => isUpper(other.text) === isUpper(text)).length,
  'alphabet, like the prompt’s': ({ text }, prompt) => Number(isLatin(text) === isLatin(prompt.text)),
  'first letter, like the prompt’s': ({ shape }, prompt) => Number(shape.letters[0] === prompt.shape.letters[0]),
  'beginning, like the prompt’s': ({ shape }, prompt) => sharedBeginning(shape, prompt.shape),
  'pairs of letters, like the prompt’s': ({ shape }, prompt) => pairLikeness(shape, prompt.shape),
  'edits from the prompt': ({ shape }, prompt) => editLikeness(shape, prompt.shape),
  'edits from the prompt’s consonants': ({ shape }, prompt) => consonantLikeness(shape, prompt.shape),
  'letters in order, like the prompt’s': ({ shape }, prompt) => orderLikeness(shape, prompt.shape),
  'longest piece that is the prompt’s': ({ shape }, prompt) => sharedPiece(shape, prompt.shape),
  'likeness to the other options': ({ shape }, _, options) =>
    options.reduce((sum, other) => sum + pairLikeness(shape, other.shape), 0),
  'frequency among the options': ({ shown }) => shown,
};

const wordsIn = (text: string) => text.split(' ').length;
const isUpper = (text: string) => text[0] !== text[0]?.toLowerCase();
const isLatin = (text: string) => /^\p{Script=Latin}/u.test(text);

/** How often a guess is correct, in percent. Among equal options the guesser chooses at random. */
interface Guess {
  trait: string;
  most: number;
  least: number;
}

/**
 * For each question of a deck, and each trait, the trait's value of each option; the correct option is first.
 */
type TraitValues = number[][][];

/** Draws the questions of games of ten rounds from a deck. */
function askDeck(pool: Pool, random: RandomInt): TraitValues {
  const newId = () => '';
  const questions = Array.from({ length: GAMES }, () => [...buildQuestions({ pool, count: 10, random, newId })]).flat();
  const shown = new Map<string, number>();
  for (const { question } of questions)
    for (const { text } of question.options) shown.set(text, (shown.get(text) ?? 0) + 1);
  return questions.map((question) => traitValuesOf(question, shown));
}

function traitValuesOf({ question, correctOptionId }: KeyedQuestion, shown: Map<string, number>): number[][] {
  const seen = (text: string, position: number): SeenOption => ({
    text,
    position,
    shape: shapeOf(text),
    shown: shown.get(text) ?? 0,
  });
  const prompt = seen(question.prompt, 0);
  const options = question.options.map(({ text, optionId }) => seen(text, optionId));
  const [right] = options.splice(correctOptionId, 1) as [SeenOption];
  const all = [right, ...options];
  return Object.values(TRAITS).map((read) => all.map((option) => read(option, prompt, all)));
}

/** @returns how often guesses by each trait are correct */
function guesses(questions: TraitValues): Guess[] {
  const share = (at: number, sign: number) =>
    (100 * questions.reduce((sum, traits) => sum + chance(traits[at] ?? [], sign), 0)) / questions.length;
  return Object.keys(TRAITS).map((name, at) => ({ trait: name, most: share(at, 1), least: share(at, -1) }));
}

/** @returns the probability that the first option is chosen among those with the highest value */
function chance(values: readonly number[], sign: number): number {
  const signed = values.map((value) => sign * value);
  const best = Math.max(...signed);
  return signed[0] === best ? 1 / signed.filter((value) => value === best).length : 0;
}

/** The share of right guesses of somebody who picks one of four options by chance, %. */
const CHANCE = 25;

/**
 * Asks all decks with a fixed seed.
 * @param pointsMax the percentage points above chance that are allowed
 * @returns the traits by which a guesser is right more often
 */
function betterThanChance(pools: Pool[], pointsMax: number): Guess[] {
  const random = seeded(20_261_122);
  const table = guesses(pools.flatMap((pool) => askDeck(pool, random)));
  return table.filter(({ most, least }) => Math.max(most, least) > CHANCE + pointsMax);
}

const decks = await readBuiltInDecks();

test('a trait predicts the right option hardly better than chance: in 100 questions 31 times at most', () => {
  const pools = [...decks.values()].filter((_, at) => at % EVERY === 0);
  expect(betterThanChance(pools, POINTS_MAX.all)).toEqual([]);
});

test('a trait predicts the right option of 45 in 100 questions at most where languages are similar', () => {
  const pools = [...decks].flatMap(([name, pool]) => (SIMILAR_LANGUAGES.test(name) ? [pool] : []));
  expect(
    betterThanChance(
      pools.filter((_, at) => at % EVERY_SIMILAR === 0),
      POINTS_MAX.similar,
    ),
  ).toEqual([]);
});
