// The measurements that a process under measurement answers requests for.
import type { Memory } from '../child.ts';

export const answers = new Map<string, () => unknown>([
  ['ready', () => true],
  ['cpuMs', cpuMs],
  ['memory', memory],
]);

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Several collections also discard compiled code that is no longer used, so that two measurements differ only
 * by what was allocated between.
 */
const COLLECTIONS = 10;

function memory(): Memory {
  for (let count = 0; count < COLLECTIONS; count++) (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { usedBytes: heapUsed + external, residentBytes: rss };
}
