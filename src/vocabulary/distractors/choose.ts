// Chooses plausible wrong options. They resemble the prompt and each other as much as the right option does,
// and are of its semantic field where it is known, so that a player needs to know the word. Pure, since the
// randomness is a parameter. [contract 3]
import { inRandomOrder, type RandomInt } from '../random-order.ts';
import { chooseThree, createBalance, type Option } from './balance.ts';
import { CLUES, cluesOf, LIKENESSES, type Shape, shapeOf, sharedBits } from './likeness.ts';

/** The number of answers whose likeness is estimated, from a random one on. This takes some microseconds. */
const MAX_ESTIMATED = 400;
/** The number of answers that are compared by every measure. */
const MAX_COMPARED = 40;

/**
 * @param options.count the number of answers to find by each measure of likeness
 * @returns the indexes of the answers that resemble the prompt most
 */
function findLookAlikes(
  prompt: Shape,
  answers: number,
  shapeAt: (answer: number) => Shape,
  { isWrong, count, random }: LookAlikeOptions,
): Set<number> {
  const from = answers > MAX_ESTIMATED ? random(answers) : 0;
  const likely = createSelection(MAX_COMPARED);
  for (let step = 0; step < Math.min(answers, MAX_ESTIMATED); step++) {
    const answer = (from + step) % answers;
    const shape = shapeAt(answer);
    const score = sharedBits(prompt, shape) / (prompt.pairs.length + shape.pairs.length);
    if (likely.takes(score) && isWrong(answer)) likely.add(answer, score);
  }
  const found = new Set<number>();
  for (const likeness of LIKENESSES) {
    const closest = createSelection(count);
    for (const answer of likely.items) closest.add(answer, likeness(prompt, shapeAt(answer)));
    for (const answer of closest.items) found.add(answer);
  }
  return found;
}

interface LookAlikeOptions {
  isWrong: (answer: number) => boolean;
  count: number;
  random: RandomInt;
}

/** Selects the items with the highest scores, the highest first. */
function createSelection(size: number) {
  const items: number[] = [];
  const scores: number[] = [];
  const takes = (score: number) => items.length < size || score > (scores[size - 1] as number);
  function add(item: number, score: number): void {
    if (!takes(score)) return;
    let place = Math.min(items.length, size - 1);
    for (; place > 0 && (scores[place - 1] as number) < score; place--) {
      items[place] = items[place - 1] as number;
      scores[place] = scores[place - 1] as number;
    }
    items[place] = item;
    scores[place] = score;
  }
  return { items, takes, add };
}

/** The number of wrong options of a question. */
export const DISTRACTORS = 3;
/** The numbers of candidates: answers that resemble the prompt, answers of its field, and any answers. */
const LOOK_ALIKES = 5;
const SAME_FIELD = 4;
const ANY = 8;
/** The number of answers that are tried for one group of candidates, since most of them may be right. */
const MAX_TRIES = 5 * ANY;
/** What an option of the same field may cost in balance, so that every second wrong option is of the field. */
const FIELD_WORTH = 1.8;
/** What each earlier appearance of an option costs. Without it, some options appear a fifth more often. */
const RARITY_WORTH = 0.1;

export interface PoolAnswer {
  key: string;
  text: string;
  /** The semantic field, where it is known. */
  field: string | null;
}

export interface AskedTerm {
  sourceText: string;
  targetText: string;
  targetKey: string;
  field: string | null;
}

/**
 * @param isRight whether an answer is accepted for its prompt
 * @returns the indexes of three wrong answers; undefined where the pool has fewer
 */
type ChooseDistractors = (
  term: AskedTerm,
  isRight: (key: string) => boolean,
  random: RandomInt,
) => number[] | undefined;

/** @param answers the different answers of the pool */
export function createChooser(terms: readonly AskedTerm[], answers: readonly PoolAnswer[]): ChooseDistractors {
  const shapes: Shape[] = [];
  /** Shapes are made when they are first compared, since those of a whole list take too long for one turn. */
  const shapeAt = (answer: number) => {
    shapes[answer] ??= shapeOf((answers[answer] as PoolAnswer).text);
    return shapes[answer];
  };
  const byField = new Map<string, number[]>();
  for (const [answer, { field }] of answers.entries()) {
    if (field === null) continue;
    const ofField = byField.get(field);
    if (ofField) ofField.push(answer);
    else byField.set(field, [answer]);
  }
  const numbers = new Map(answers.map(({ key }, answer) => [key, answer]));
  /** Each answer as often as it is right. */
  const rightAnswers = terms.map(({ targetKey }) => numbers.get(targetKey) as number);
  const shown = new Uint32Array(answers.length);
  const balance = createBalance(CLUES);

  /** @returns wrong answers, at least three if the pool has as many */
  function candidatesFor(
    { field }: AskedTerm,
    prompt: Shape,
    isWrong: (answer: number) => boolean,
    random: RandomInt,
  ): number[] {
    const found = new Set(findLookAlikes(prompt, answers.length, shapeAt, { isWrong, count: LOOK_ALIKES, random }));
    const take = (from: readonly number[], count: number) => {
      const enough = found.size + count;
      let tried = 0;
      for (const answer of inRandomOrder(from, random)) {
        if (isWrong(answer)) found.add(answer);
        if (found.size === enough || ++tried === MAX_TRIES) return;
      }
    };
    if (field !== null) take(byField.get(field) ?? [], SAME_FIELD);
    take(rightAnswers, ANY);
    // If these are fewer than three, every answer is tried.
    const from = found.size < DISTRACTORS ? random(answers.length) : 0;
    for (let step = 0; found.size < DISTRACTORS && step < answers.length; step++) {
      const answer = (from + step) % answers.length;
      if (isWrong(answer)) found.add(answer);
    }
    return [...found];
  }

  function toOption(prompt: Shape, shape: Shape, answer: number | undefined, isOfField: boolean): Option {
    const frequency = answer === undefined ? 0 : (shown[answer] as number);
    const worth = (isOfField ? FIELD_WORTH : 0) - RARITY_WORTH * frequency;
    return { shape, clues: cluesOf(prompt, shape, frequency), worth };
  }

  function countShown(answer: number | undefined): void {
    if (answer !== undefined) shown[answer] = (shown[answer] as number) + 1;
  }

  return (term, isRight, random) => {
    const isWrong = (answer: number) => {
      const { key } = answers[answer] as PoolAnswer;
      return key !== term.targetKey && !isRight(key);
    };
    const prompt = shapeOf(term.sourceText);
    const candidates = candidatesFor(term, prompt, isWrong, random);
    if (candidates.length < DISTRACTORS) return undefined;
    const right = numbers.get(term.targetKey);
    const own = toOption(prompt, shapeOf(term.targetText), right, false);
    const options = candidates.map((answer) => {
      const isOfField = term.field !== null && answers[answer]?.field === term.field;
      return toOption(prompt, shapeAt(answer), answer, isOfField);
    });
    const wrong = chooseThree(own, options, balance, random).map((index) => candidates[index] as number);
    for (const answer of wrong) countShown(answer);
    countShown(right);
    return wrong;
  };
}
