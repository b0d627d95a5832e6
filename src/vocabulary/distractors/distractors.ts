// Draws plausible wrong options of a pool's terms. They resemble the prompt and each other as much as the right option
// does, and are of its semantic field where it is known, so that a player needs to know the word. Choosing them takes
// long, so that they are cached: most questions cost a look-up. Pure, since the randomness is a parameter. [contract 3]
import { inRandomOrder, type RandomInt } from '../random-order.ts';
import type { Pool, PoolAnswer, Term } from '../rules.ts';
import { chooseThree, createBalance, type Option } from './balance.ts';
import { CLUES, cluesOf, LIKENESSES, type Shape, shapeOf, sharedBits } from './likeness.ts';

/** The number of wrong options of a question. */
export const DISTRACTORS = 3;
/** The number of cached sets of wrong options of a term. */
const SETS = 4;
/** One question in this number replaces its cached set, so that no set stays for ever. */
const RENEWED_ONCE_IN = 2048;
/** The number of terms outside the pool whose sets are cached. Beyond it the oldest is evicted. */
const MAX_OUTSIDE_TERMS = 500;

type DistractorPool = Pick<Pool, 'terms' | 'answers' | 'accepted'>;

/**
 * @param term a term of the pool or of its deck
 * @param accepted the accepted answers of its prompt; by default those of the pool
 * @returns three wrong options; undefined where there are fewer
 */
export type DrawDistractors = (
  term: Term,
  accepted: ReadonlySet<string> | undefined,
  random: RandomInt,
) => string[] | undefined;

/** @returns a function that prepares the pool at its first call */
export function createDistractors(pool: DistractorPool): DrawDistractors {
  let draw: DrawDistractors | undefined;
  return (...asked) => {
    draw ??= createDraw(pool);
    return draw(...asked);
  };
}

/** @returns the cached sets of so many terms, and the number of sets of each */
const createSets = (terms: number) => ({
  answers: new Uint32Array(terms * SETS * DISTRACTORS),
  counts: new Uint8Array(terms),
});

function createDraw(pool: DistractorPool): DrawDistractors {
  const { terms, answers } = pool;
  const choose = createChooser(pool);
  const numbers = new Map(terms.map((term, number) => [term, number]));
  const sets = createSets(terms.length);
  const outside = new Map<string, ReturnType<typeof createSets>>();

  function setsOutside({ sourceKey, targetKey }: Term) {
    const name = `${sourceKey}\n${targetKey}`;
    const known = outside.get(name);
    if (known) return known;
    const [oldest = name] = outside.keys();
    if (outside.size === MAX_OUTSIDE_TERMS) outside.delete(oldest);
    const created = createSets(1);
    outside.set(name, created);
    return created;
  }

  return (term, given, random) => {
    const accepted = given ?? pool.accepted.get(term.sourceKey);
    const isRight = (key: string) => accepted?.has(key) ?? false;
    const own = given ? undefined : numbers.get(term);
    const { answers: cached, counts } = own === undefined ? setsOutside(term) : sets;
    const number = own ?? 0;
    const count = counts[number] as number;
    const isNew = count < SETS || random(RENEWED_ONCE_IN) === 0;
    const set = count < SETS ? count : random(SETS);
    const at = (number * SETS + set) * DISTRACTORS;
    const answerAt = (place: number) => answers[cached[at + place] as number] as PoolAnswer;
    // An import may have made a cached wrong option right.
    if (isNew || isRight(answerAt(0).key) || isRight(answerAt(1).key) || isRight(answerAt(2).key)) {
      const chosen = choose(term, isRight, random);
      if (!chosen) return undefined;
      cached.set(chosen, at);
      counts[number] = Math.max(count, set + 1);
    }
    return [answerAt(0).text, answerAt(1).text, answerAt(2).text];
  };
}

/** The number of answers whose likeness is estimated, from a random one on. This takes some microseconds. */
const MAX_ESTIMATED = 400;
/** The number of answers that are compared by every measure. */
const MAX_COMPARED = 40;
/** The numbers of candidates: answers that resemble the prompt by each measure, answers of its field, and any. */
const LOOK_ALIKES = 5;
const SAME_FIELD = 4;
const ANY = 8;
/** The number of answers that are tried for one group of candidates, since most of them may be right. */
const MAX_TRIES = 5 * ANY;
/** What an option of the same field may cost in balance, so that every second wrong option is of the field. */
const FIELD_WORTH = 1.8;
/** What each earlier appearance of an option costs. Without it, some options appear a fifth more often. */
const RARITY_WORTH = 0.1;

type IsWrong = (answer: number) => boolean;

/** @returns a function that returns the indexes of three wrong answers; undefined where the pool has fewer */
function createChooser({ terms, answers }: Pick<Pool, 'terms' | 'answers'>) {
  const shapes: Shape[] = [];
  /** Shapes are made when they are first compared, since those of a whole list take too long for one turn. */
  const shapeAt = (answer: number) => {
    shapes[answer] ??= shapeOf((answers[answer] as PoolAnswer).text);
    return shapes[answer];
  };
  const byField = new Map<string | null, number[]>();
  for (const [answer, { field }] of answers.entries()) {
    const ofField = byField.get(field) ?? [];
    ofField.push(answer);
    byField.set(field, ofField);
  }
  const numbers = new Map(answers.map(({ key }, answer) => [key, answer]));
  /** Each answer as often as it is right. */
  const rightAnswers = terms.map(({ targetKey }) => numbers.get(targetKey) as number);
  const shown = new Uint32Array(answers.length);
  const balance = createBalance(CLUES);

  /** @returns the answers that resemble the prompt most by any measure */
  function findLookAlikes(prompt: Shape, isWrong: IsWrong, random: RandomInt): Set<number> {
    const from = answers.length > MAX_ESTIMATED ? random(answers.length) : 0;
    const likely = createSelection(MAX_COMPARED);
    for (let step = 0; step < Math.min(answers.length, MAX_ESTIMATED); step++) {
      const answer = (from + step) % answers.length;
      const shape = shapeAt(answer);
      const score = sharedBits(prompt, shape) / (prompt.pairs.length + shape.pairs.length);
      if (likely.takes(score) && isWrong(answer)) likely.add(answer, score);
    }
    const found = new Set<number>();
    for (const likeness of LIKENESSES) {
      const closest = createSelection(LOOK_ALIKES);
      for (const answer of likely.items) closest.add(answer, likeness(prompt, shapeAt(answer)));
      for (const answer of closest.items) found.add(answer);
    }
    return found;
  }

  /** @returns wrong answers, at least three if the pool has as many */
  function candidatesFor(field: string | null, prompt: Shape, isWrong: IsWrong, random: RandomInt): number[] {
    const found = findLookAlikes(prompt, isWrong, random);
    const take = (from: readonly number[], count: number, triesMax = MAX_TRIES) => {
      const enough = found.size + count;
      let tried = 0;
      for (const answer of inRandomOrder(from, random)) {
        if (isWrong(answer)) found.add(answer);
        if (found.size === enough || ++tried === triesMax) return;
      }
    };
    if (field !== null) take(byField.get(field) ?? [], SAME_FIELD);
    take(rightAnswers, ANY);
    if (found.size < DISTRACTORS) take([...answers.keys()], DISTRACTORS - found.size, answers.length);
    return [...found];
  }

  return ({ sourceText, targetText, targetKey, field }: Term, isRight: (key: string) => boolean, random: RandomInt) => {
    const isWrong = (answer: number) => {
      const { key } = answers[answer] as PoolAnswer;
      return key !== targetKey && !isRight(key);
    };
    const prompt = shapeOf(sourceText);
    const candidates = candidatesFor(field, prompt, isWrong, random);
    if (candidates.length < DISTRACTORS) return undefined;

    const toOption = (shape: Shape, frequency: number, isOfField: boolean): Option => {
      const worth = (isOfField ? FIELD_WORTH : 0) - RARITY_WORTH * frequency;
      return { shape, clues: cluesOf(prompt, shape, frequency), worth };
    };
    const right = numbers.get(targetKey);
    const frequencyOf = (answer: number) => shown[answer] as number;
    const own = toOption(shapeOf(targetText), right === undefined ? 0 : frequencyOf(right), false);
    const options = candidates.map((answer) => {
      const isOfField = field !== null && answers[answer]?.field === field;
      return toOption(shapeAt(answer), frequencyOf(answer), isOfField);
    });
    const wrong = chooseThree(own, options, balance, random).map((index) => candidates[index] as number);
    for (const answer of right === undefined ? wrong : [...wrong, right]) shown[answer] = frequencyOf(answer) + 1;
    return wrong;
  };
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
