// Draws plausible wrong options. They resemble the prompt and each other as much as the right option does, and are of
// its semantic field where it is known, so that a player needs to know the word. They are chosen slowly, but
// cached: most questions cost a look-up. Pure, since the randomness is a parameter. [contract 3]
import { inRandomOrder, type RandomInt } from '../random-order.ts';
import type { Pool, Term } from '../rules.ts';
import { CLUES, type Clues, cluesOf, LIKENESSES, pairLikeness, type Shape, shapeOf, sharedBits } from './likeness.ts';

/** The numbers of wrong options of a question, and of cached sets of them of a term. */
export const DISTRACTORS = 3;
const SETS = 4;
/** One question in this number replaces its cached set, so that no set stays for ever. */
const RENEWED_ONCE_IN = 2048;
/** The number of terms outside the pool whose sets are cached, too. Beyond it the oldest is evicted. */
const MAX_OUTSIDE_TERMS = 500;

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
export function createDistractors(pool: Pick<Pool, 'terms' | 'answers' | 'accepted'>): DrawDistractors {
  let choose: ReturnType<typeof createChooser> | undefined;
  /** The sets of each term, one after the other. Terms outside the pool are made anew for each quiz. */
  const cached = new Map<string, Term[]>();

  function setsOf({ sourceKey, targetKey }: Term): Term[] {
    const name = `${sourceKey}\n${targetKey}`;
    const known = cached.get(name);
    if (known) return known;
    const [oldest = name] = cached.keys();
    if (cached.size === pool.terms.length + MAX_OUTSIDE_TERMS) cached.delete(oldest);
    const created: Term[] = [];
    cached.set(name, created);
    return created;
  }

  return (term, given, random) => {
    const accepted = given ?? pool.accepted.get(term.sourceKey);
    const isRight = (key: string) => accepted?.has(key) ?? false;
    const sets = setsOf(term);
    const answerAt = (place: number) => sets[place] as Term;
    const isNew = sets.length < SETS * DISTRACTORS;
    const at = isNew ? sets.length : random(SETS) * DISTRACTORS;
    // An import may have made a cached wrong option right.
    const isOutdated = () =>
      isRight(answerAt(at).targetKey) || isRight(answerAt(at + 1).targetKey) || isRight(answerAt(at + 2).targetKey);
    if (isNew || random(RENEWED_ONCE_IN) === 0 || isOutdated()) {
      choose ??= createChooser(pool);
      const chosen = choose(term, isRight, random);
      if (!chosen) return undefined;
      for (const [place, answer] of chosen.entries()) sets[at + place] = pool.answers[answer] as Term;
    }
    return [answerAt(at).targetText, answerAt(at + 1).targetText, answerAt(at + 2).targetText];
  };
}

/** The number of answers whose likeness is estimated, from a random one on, in some microseconds. */
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
    shapes[answer] ??= shapeOf((answers[answer] as Term).targetText);
    return shapes[answer];
  };
  const byField = new Map<string | null, number[]>();
  for (const [answer, { field }] of answers.entries()) {
    const ofField = byField.get(field) ?? [];
    ofField.push(answer);
    byField.set(field, ofField);
  }
  const numbers = new Map(answers.map((term, answer) => [term.targetKey, answer]));
  /** Each answer as often as it is right. */
  const rightAnswers = terms.map(({ targetKey }) => numbers.get(targetKey) as number);
  const shown = new Uint32Array(answers.length);
  const balance = createBalance();

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
      const key = (answers[answer] as Term).targetKey;
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

const RANKS = 4;
const SHARE = 1 / RANKS;
/**
 * The surplus or deficit of a rank, in questions, is at most this. In some decks most words resemble only
 * their translation. Without the limit, a surplus that no choice can reduce would outweigh all other clues.
 */
const MAX_SURPLUS = 10;

type Balance = ReturnType<typeof createBalance>;

/**
 * By each clue, the right option should rank first, second, third and last among the four options equally often. The
 * balance counts its ranks, and prefers the options that even the counts out, as minimisation does in clinical trials.
 */
function createBalance() {
  /** By clue and rank: how often the right option had the rank, beyond its share. */
  const surplus = new Float64Array(CLUES * RANKS);
  return {
    /** @returns how uneven the ranks would be after a question with these options; less is better */
    costOf(right: Clues, one: Clues, two: Clues, three: Clues): number {
      let cost = 0;
      for (let clue = 0; clue < CLUES; clue++) {
        const values = [right[clue], one[clue], two[clue], three[clue]];
        const [own, a, b, c] = values as [number, number, number, number];
        // Options with equal values share their ranks.
        const first = Number(a > own) + Number(b > own) + Number(c > own);
        const last = Number(a >= own) + Number(b >= own) + Number(c >= own);
        const share = 1 / (last - first + 1);
        // The growth of the sum of squares, without the part that is the same for every set.
        for (let rank = first; rank <= last; rank++)
          cost += share * (2 * ((surplus[clue * RANKS + rank] as number) - SHARE) + share);
      }
      return cost;
    },

    count(right: Clues, ...wrong: [Clues, Clues, Clues]): void {
      for (let clue = 0; clue < CLUES; clue++) {
        const own = right[clue] as number;
        const first = wrong.filter((other) => (other[clue] as number) > own).length;
        const last = wrong.filter((other) => (other[clue] as number) >= own).length;
        for (let rank = 0; rank < RANKS; rank++) {
          const taken = rank >= first && rank <= last ? 1 / (last - first + 1) : 0;
          const at = clue * RANKS + rank;
          const now = (surplus[at] as number) + taken - SHARE;
          surplus[at] = Math.max(-MAX_SURPLUS, Math.min(MAX_SURPLUS, now));
        }
      }
    },
  };
}

const EXCHANGES = 60;

/** An option of a question, as it is compared with others. */
interface Option {
  shape: Shape;
  /** The last clue is set here: how much the option resembles the other options. */
  clues: Clues;
  /** How much the choice of this option may add to the cost of the balance. */
  worth: number;
}

type Three = [number, number, number];

/** @returns the indexes of three of the wrong options, of which there are at least three; `balance` has counted them */
function chooseThree(right: Option, wrong: readonly Option[], balance: Balance, random: RandomInt): number[] {
  const fourOf = cluesOfFour(right, wrong);
  const worthOf = (index: number) => (wrong[index] as Option).worth;
  const costOf = ([a, b, c]: Three) => balance.costOf(...fourOf(a, b, c)) - worthOf(a) - worthOf(b) - worthOf(c);
  const [a, b, c] = inRandomOrder([...wrong.keys()], random);
  let chosen = [a, b, c] as Three;
  let cost = costOf(chosen);
  for (let exchange = 0; exchange < EXCHANGES; exchange++) {
    const index = random(wrong.length);
    const exchanged = random(chosen.length);
    if (chosen.includes(index)) continue;
    const other: Three = [...chosen];
    other[exchanged] = index;
    const otherCost = costOf(other);
    if (otherCost < cost) [chosen, cost] = [other, otherCost];
  }
  balance.count(...fourOf(...chosen));
  return chosen;
}

/** @returns a function that returns the clues of the right option and three others */
function cluesOfFour(right: Option, wrong: readonly Option[]) {
  const options = [...wrong, right];
  /** The likeness of each two options; −1 where it is not computed yet. */
  const known = new Float64Array(options.length ** 2).fill(-1);

  function likeness(one: number, other: number): number {
    const at = one < other ? one * options.length + other : other * options.length + one;
    if ((known[at] as number) < 0)
      known[at] = pairLikeness((options[one] as Option).shape, (options[other] as Option).shape);
    return known[at] as number;
  }

  function cluesOf(option: number, one: number, two: number, three: number): Clues {
    const { clues } = options[option] as Option;
    clues[clues.length - 1] = likeness(option, one) + likeness(option, two) + likeness(option, three);
    return clues;
  }

  const own = wrong.length;
  return (a: number, b: number, c: number) =>
    [cluesOf(own, a, b, c), cluesOf(a, own, b, c), cluesOf(b, own, a, c), cluesOf(c, own, a, b)] as const;
}
