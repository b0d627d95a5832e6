// What a process under measurement can be asked.
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

/** Code that has not run during some collections goes too: what is counted between two calls has come since. */
const COLLECTIONS = 10;

function memory(): Memory {
  for (let count = 0; count < COLLECTIONS; count++) (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { usedBytes: heapUsed + external, residentBytes: rss };
}
