// What a process under measurement can be asked.
import type { Usage } from '../child.ts';

export const answers = new Map<string, () => unknown>([
  ['ready', () => true],
  ['usage', usage],
]);

function usage(): Usage {
  (globalThis as { gc?: () => void }).gc?.();
  const { user, system } = process.cpuUsage();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { cpuMs: (user + system) / 1000, usedBytes: heapUsed + external, residentBytes: rss };
}
