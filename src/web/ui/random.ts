// Random numbers that need not be secret, such as for the order of practised words.

/** @returns an integer from 0 to below `bound` */
export function randomInt(bound: number): number {
  return Math.floor(Math.random() * bound);
}
