// Finds answers that resemble a prompt. A cheap estimate selects the few that are compared exactly. Pure.
import type { RandomInt } from '../random-order.ts';
import { LIKENESSES, type Shape, sharedBits } from './likeness.ts';

/** The number of answers whose likeness is estimated, from a random one on. This takes some microseconds. */
const MAX_ESTIMATED = 400;
/** The number of answers that are compared by every measure. */
const MAX_COMPARED = 40;

/**
 * @param answers the number of answers
 * @param shapeAt returns the shape of an answer
 * @param options.isWrong whether an answer may be found
 * @param options.count the number of answers to find by each measure of likeness
 * @returns the indexes of the answers that resemble the prompt most
 */
export function findLookAlikes(
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
