// Finds answers that look like a prompt, without looking closely at all of them. Pure.
import type { RandomInt } from '../random-order.ts';
import { LIKENESSES, type Shape, sharedBits } from './likeness.ts';

/** Among so many the search is good enough, and takes some microseconds. */
const SEARCHED = 400;
/** So many that seem alike are looked at closely. */
const LOOKED_AT = 40;

/**
 * @param shapes of all answers
 * @param isWrong whether an answer may be found
 * @param count how many are wanted by each measure of likeness
 * @returns the numbers of the answers that look most like the prompt
 */
export function findLookAlikes(
  prompt: Shape,
  shapes: readonly Shape[],
  isWrong: (answer: number) => boolean,
  count: number,
  random: RandomInt,
): Set<number> {
  const from = shapes.length > SEARCHED ? random(shapes.length) : 0;
  const likely = createSelection(LOOKED_AT);
  for (let step = 0; step < Math.min(shapes.length, SEARCHED); step++) {
    const answer = (from + step) % shapes.length;
    const shape = shapes[answer] as Shape;
    const score = sharedBits(prompt, shape) / (prompt.pairs.length + shape.pairs.length);
    if (likely.takes(score) && isWrong(answer)) likely.add(answer, score);
  }
  const found = new Set<number>();
  for (const likeness of LIKENESSES) {
    const closest = createSelection(count);
    for (const answer of likely.items)
      closest.add(answer, likeness(prompt, shapes[answer] as Shape));
    for (const answer of closest.items) found.add(answer);
  }
  return found;
}

/** Keeps those items of all that have the highest scores, the highest first. */
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
