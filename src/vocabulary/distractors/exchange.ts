// Finds three wrong options beside which the right one doesn't stand out. The search begins with a random
// set, and repeats each random exchange that lowers the cost. Pure, since the randomness is a parameter.
import { inRandomOrder, type RandomInt } from '../random-order.ts';
import type { Balance, Clues } from './balance.ts';
import { pairLikeness, type Shape } from './likeness.ts';

/** The number of exchanges that are tried. */
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

/**
 * @param wrong at least three options
 * @returns the indexes of three of them, which `balance` has counted
 */
export function chooseThree(right: Option, wrong: readonly Option[], balance: Balance, random: RandomInt): number[] {
  const fourOf = cluesOfFour(right, wrong);
  const worthOf = (index: number) => (wrong[index] as Option).worth;
  const costOf = ([a, b, c]: Three) => balance.costOf(...fourOf(a, b, c)) - worthOf(a) - worthOf(b) - worthOf(c);
  const [a, b, c] = inRandomOrder([...wrong.keys()], random);
  let chosen = [a, b, c] as Three;
  let cost = costOf(chosen);
  for (let count = 0; count < EXCHANGES; count++) {
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

type Four = [Clues, Clues, Clues, Clues];

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
  return (a: number, b: number, c: number): Four => [
    cluesOf(own, a, b, c),
    cluesOf(a, own, b, c),
    cluesOf(b, own, a, c),
    cluesOf(c, own, a, b),
  ];
}
