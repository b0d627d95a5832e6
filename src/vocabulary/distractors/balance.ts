// Keeps the right option from standing out: by every clue that options give away, it is to be the first,
// second, third and last of the four as often as chance would have it. Its places are counted, and of
// several sets of options that one is best which evens the counts out (minimisation, as it puts together
// alike groups for trials of medicines). Pure.

const PLACES = 4;
const SHARE = 1 / PLACES;
/**
 * How many questions a place may be ahead or behind: where a deck is full of words that look like
 * nothing but their translation, what can't be made good must not outweigh everything else.
 */
const MOST_AHEAD = 10;

/** What an option gives away: a number a clue, whatever it counts. */
export type Clues = Float64Array;

export interface Balance {
  /** @returns how uneven the places come to be with a question of these options: less is better */
  costOf(right: Clues, one: Clues, two: Clues, three: Clues): number;
  /** Counts a question of these options. */
  note(right: Clues, one: Clues, two: Clues, three: Clues): void;
}

/** @param clues how many there are; each counts as much */
export function createBalance(clues: number): Balance {
  /** By clue and place: how often the right option was there, beyond its share. */
  const ahead = new Float64Array(clues * PLACES);
  return {
    costOf(right, one, two, three) {
      let cost = 0;
      for (let clue = 0; clue < clues; clue++) {
        const [own, a, b, c] = [right[clue], one[clue], two[clue], three[clue]] as Numbers;
        // Where others have its number, the right one may be any of them.
        const first = Number(a > own) + Number(b > own) + Number(c > own);
        const last = Number(a >= own) + Number(b >= own) + Number(c >= own);
        const share = 1 / (last - first + 1);
        // What the sum of all squares grows by, but for what is the same for every set.
        for (let place = first; place <= last; place++)
          cost += share * (2 * ((ahead[clue * PLACES + place] as number) - SHARE) + share);
      }
      return cost;
    },

    note(right, ...wrong) {
      for (let clue = 0; clue < clues; clue++) {
        const own = right[clue] as number;
        const first = wrong.filter((other) => (other[clue] as number) > own).length;
        const last = wrong.filter((other) => (other[clue] as number) >= own).length;
        for (let place = 0; place < PLACES; place++) {
          const taken = place >= first && place <= last ? 1 / (last - first + 1) : 0;
          const at = clue * PLACES + place;
          const now = (ahead[at] as number) + taken - SHARE;
          ahead[at] = Math.max(-MOST_AHEAD, Math.min(MOST_AHEAD, now));
        }
      }
    },
  };
}

type Numbers = [number, number, number, number];
