// What a fault is to the run: harm, a while, and the repair, in one function that always repairs.
import type { PlannedFault } from '../schedule.ts';
import type { Node, Stage } from '../stage.ts';

/** Does harm, waits, and repairs it. Resolves when all is as before. */
export type Act = (stage: Stage, fault: PlannedFault) => Promise<void>;

/** @returns the process that a fault is about */
export function nodeOf(stage: Stage, { place, index }: PlannedFault): Node {
  const node = (place === 'replica' ? stage.replicas : stage.workers)[index];
  if (!node) throw new Error(`There is no ${place} ${index}.`);
  return node;
}

/**
 * A part of the connections, the same for the same draw: now all of them, now some.
 * @returns undefined for all
 */
export function chosenBy({
  draw,
}: PlannedFault): ((port: number | undefined) => boolean) | undefined {
  if (draw < 0.5) return undefined;
  return (port = 0) => (Math.imul(port, 0x9e3779b1) >>> 0) / 2 ** 32 < draw;
}
