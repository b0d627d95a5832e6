// Chooses three wrong options beside which the right one doesn't stand out. By each clue, the right option should rank
// first, second, third and last among the four options equally often. The balance counts its ranks, and prefers the set
// of options that evens the counts out, as minimisation does in clinical trials. Pure.
import { inRandomOrder, type RandomInt } from '../random-order.ts';
import { pairLikeness, type Shape } from './likeness.ts';

const RANKS = 4;
const SHARE = 1 / RANKS;
/**
 * The surplus or deficit of a rank, in questions, is at most this. In some decks most words resemble only
 * their translation. Without the limit, a surplus that no choice can reduce would outweigh all other clues.
 */
const MAX_SURPLUS = 10;

/** The values of an option's clues, by which it may be told from the others. */
export type Clues = Float64Array;

type Balance = ReturnType<typeof createBalance>;

/** @param clues the number of clues, which have equal weights */
export function createBalance(clues: number) {
  /** By clue and rank: how often the right option had the rank, beyond its share. */
  const surplus = new Float64Array(clues * RANKS);
  return {
    /** @returns how uneven the ranks would be after a question with these options; less is better */
    costOf(right: Clues, one: Clues, two: Clues, three: Clues): number {
      let cost = 0;
      for (let clue = 0; clue < clues; clue++) {
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
      for (let clue = 0; clue < clues; clue++) {
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
export interface Option {
  shape: Shape;
  /** The last clue is set here: how much the option resembles the other options. */
  clues: Clues;
  /** How much the choice of this option may add to the cost of the balance. */
  worth: number;
}

type Three = [number, number, number];

/** @returns the indexes of three of the wrong options, of which there are at least three; `balance` has counted them */
export function chooseThree(right: Option, wrong: readonly Option[], balance: Balance, random: RandomInt): number[] {
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
