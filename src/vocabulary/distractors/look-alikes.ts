// Finds answers that resemble a prompt. A cheap estimate selects the few that are compared exactly. Pure.
import type { RandomInt } from '../random-order.ts';
import { LIKENESSES, type Shape, sharedBits } from './likeness.ts';

/** The number of answers whose likeness is estimated, from a random one on. This takes some microseconds. */
const MAX_ESTIMATED = 400;
/** The number of answers that are compared by every measure. */
const MAX_COMPARED = 40;

/**
 * @param shapes the shapes of all answers
 * @param isWrong whether an answer may be found
 * @param count the number of answers to find by each measure of likeness
 * @returns the indexes of the answers that resemble the prompt most
 */
export function findLookAlikes(
  prompt: Shape,
  shapes: readonly Shape[],
  isWrong: (answer: number) => boolean,
  count: number,
  random: RandomInt,
): Set<number> {
  const from = shapes.length > MAX_ESTIMATED ? random(shapes.length) : 0;
  const likely = createSelection(MAX_COMPARED);
  for (let step = 0; step < Math.min(shapes.length, MAX_ESTIMATED); step++) {
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
