// Prevents the right option from standing out. By each clue, the right option should rank first, second,
// third and last among the four options equally often. The balance counts its ranks, and prefers the set of
// options that evens the counts out. Clinical trials form similar groups by the same method, minimisation.
// Pure.

const RANKS = 4;
const SHARE = 1 / RANKS;
/**
 * The surplus or deficit of a rank, in questions, is at most this. In some decks most words resemble only
 * their translation. Without the limit, a surplus that no choice can reduce would outweigh all other clues.
 */
const MAX_SURPLUS = 10;

/** The values of an option's clues, by which it may be told from the others. */
export type Clues = Float64Array;

export interface Balance {
  /** @returns how uneven the ranks would be after a question with these options; less is better */
  costOf(right: Clues, one: Clues, two: Clues, three: Clues): number;
  /** Counts a question with these options. */
  count(right: Clues, one: Clues, two: Clues, three: Clues): void;
}

/** @param clues the number of clues, which have equal weights */
export function createBalance(clues: number): Balance {
  /** By clue and rank: how often the right option had the rank, beyond its share. */
  const surplus = new Float64Array(clues * RANKS);
  return {
    costOf(right, one, two, three) {
      let cost = 0;
      for (let clue = 0; clue < clues; clue++) {
        const [own, a, b, c] = [right[clue], one[clue], two[clue], three[clue]] as Numbers;
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

    count(right, ...wrong) {
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

type Numbers = [number, number, number, number];
