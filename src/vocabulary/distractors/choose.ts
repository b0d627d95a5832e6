// Chooses wrong options that could be right: they look like the prompt, and like each other, as much as
// the right one does, and are of its field where words have one. A question then asks for knowledge, not
// for a sharp eye. Pure: the randomness is passed in. [contract 3]
import { inRandomOrder, type RandomInt } from '../random-order.ts';
import { createBalance } from './balance.ts';
import { CLUES, cluesOf, likenessOf } from './clues.ts';
import { chooseThree, type Option } from './exchange.ts';
import { type Shape, shapeOf } from './likeness.ts';
import { findLookAlikes } from './look-alikes.ts';

/** How many wrong options a question has. */
export const DISTRACTORS = 3;
/** What they are chosen from: answers that look like the prompt, of its field, and of all. */
const LOOK_ALIKES = 5;
const SAME_FIELD = 4;
const ANY = 8;
/** How much balance one of the same field may cost: every second wrong option is, and the balance holds. */
const FIELD_WORTH = 1.8;
/** And one that was shown once less: else what a deck shows most is shown a fifth more often. */
const RARITY_WORTH = 0.1;

/** What can stand on an option. */
export interface Answer {
  key: string;
  text: string;
  /** What it is about, where that is known. */
  field: string | null;
}

/** A term to be asked. */
export interface Asked {
  sourceText: string;
  targetText: string;
  targetKey: string;
  field: string | null;
}

/** The wrong options of a question. */
export interface Chosen {
  /** The numbers of three answers. */
  wrong: number[];
  /** Whether the right one looks more like the prompt than each of them. */
  isTold: boolean;
}

/**
 * @param term that is asked
 * @param isRight whether an answer is accepted for its prompt
 * @returns undefined when there are not three wrong answers
 */
export type Choose = (
  term: Asked,
  isRight: (key: string) => boolean,
  random: RandomInt,
) => Chosen | undefined;

/**
 * @param terms of a pool
 * @param answers what can stand on an option, each once
 */
export function createChoose(terms: readonly Asked[], answers: readonly Answer[]): Choose {
  const shapes = answers.map(({ text }) => shapeOf(text));
  const byField = new Map<string, number[]>();
  for (const [answer, { field }] of answers.entries()) {
    if (field === null) continue;
    const fellows = byField.get(field);
    if (fellows) fellows.push(answer);
    else byField.set(field, [answer]);
  }
  const numbers = new Map(answers.map(({ key }, answer) => [key, answer]));
  /** Each answer as often as it is the right one. */
  const rightOnes = terms.map(({ targetKey }) => numbers.get(targetKey) as number);
  const shown = new Uint32Array(answers.length);
  const balance = createBalance(CLUES);

  /** @returns wrong answers: three at least, if there are as many */
  function candidatesFor(
    { field }: Asked,
    prompt: Shape,
    isWrong: (answer: number) => boolean,
    random: RandomInt,
  ): number[] {
    const found = new Set(findLookAlikes(prompt, shapes, isWrong, LOOK_ALIKES, random));
    const take = (from: readonly number[], count: number) => {
      const enough = found.size + count;
      for (const answer of inRandomOrder(from, random)) {
        if (isWrong(answer)) found.add(answer);
        if (found.size === enough) return;
      }
    };
    if (field !== null) take(byField.get(field) ?? [], SAME_FIELD);
    take(rightOnes, ANY);
    return [...found];
  }

  function beside(
    prompt: Shape,
    shape: Shape,
    answer: number | undefined,
    isFellow: boolean,
  ): Option {
    const frequency = answer === undefined ? 0 : (shown[answer] as number);
    const worth = (isFellow ? FIELD_WORTH : 0) - RARITY_WORTH * frequency;
    return { shape, clues: cluesOf(prompt, shape, frequency), worth };
  }

  function note(answer: number | undefined): void {
    if (answer !== undefined) shown[answer] = (shown[answer] as number) + 1;
  }

  return (term, isRight, random) => {
    const isWrong = (answer: number) => {
      const { key } = answers[answer] as Answer;
      return key !== term.targetKey && !isRight(key);
    };
    const prompt = shapeOf(term.sourceText);
    const candidates = candidatesFor(term, prompt, isWrong, random);
    if (candidates.length < DISTRACTORS) return undefined;
    const right = numbers.get(term.targetKey);
    const own = beside(prompt, shapeOf(term.targetText), right, false);
    const options = candidates.map((answer) => {
      const isFellow = term.field !== null && answers[answer]?.field === term.field;
      return beside(prompt, shapes[answer] as Shape, answer, isFellow);
    });
    const places = chooseThree(own, options, balance, random);
    const wrong = places.map((place) => candidates[place] as number);
    for (const answer of wrong) note(answer);
    note(right);
    const likeness = likenessOf(own.clues);
    const isTold = places.every((place) => likenessOf((options[place] as Option).clues) < likeness);
    return { wrong, isTold };
  };
}
