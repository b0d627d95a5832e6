// Chance for what is no secret: the order of words that are practised, say.

/** @returns a whole number from 0 to below `bound` */
export function randomInt(bound: number): number {
  return Math.floor(Math.random() * bound);
}
