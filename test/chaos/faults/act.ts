// A fault as the run sees it: one function that does harm, waits, and always repairs it.
import type { PlannedFault } from '../schedule.ts';
import type { Node, Stage } from '../stage.ts';

/** Does harm, waits, and repairs it. Resolves when everything is as before. */
export type Act = (stage: Stage, fault: PlannedFault) => Promise<void>;

/** @returns the process that a fault affects */
export function nodeOf(stage: Stage, { place, index }: PlannedFault): Node {
  const node = (place === 'replica' ? stage.replicas : stage.workers)[index];
  if (!node) throw new Error(`There is no ${place} ${index}.`);
  return node;
}

/**
 * Chooses all connections or a part of them, the same for the same random number.
 * @returns undefined for all
 */
export function chosenBy({ draw }: PlannedFault): ((port: number | undefined) => boolean) | undefined {
  if (draw < 0.5) return undefined;
  return (port = 0) => (Math.imul(port, 0x9e3779b1) >>> 0) / 2 ** 32 < draw;
}
