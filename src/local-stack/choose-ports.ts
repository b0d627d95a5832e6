// Decides which port each process of the stack listens on, before anything is started for it.
import { freePort, isPortFree } from './ports.ts';
import type { Settings } from './settings.ts';

/** One port a replica; metrics have one more, for the worker. */
export interface StackPorts {
  api: number[];
  /** Zeros when metrics are off. */
  metrics: number[];
}

/**
 * @param note is told when the default port for metrics had to give way
 * @throws Error naming the port that is taken
 */
export async function choosePorts(
  settings: Settings,
  note: (line: string) => void,
): Promise<StackPorts> {
  const { host, replicas, metricsPort } = settings;
  const api = series(settings.port || (await freePort(replicas, host)), replicas);
  for (const port of api)
    if (!(await isFreeEverywhere(port, host)))
      throw new Error(
        `Port ${port} is taken${replicas > 1 ? ` (needed: ${api.join(', ')})` : ''}: stop what ` +
          'listens there, or choose another one with PORT.',
      );
  if (metricsPort === 0) return { api, metrics: series(0, replicas + 1).fill(0) };

  const metrics = series(metricsPort, replicas + 1);
  const taken: number[] = [];
  for (const port of metrics)
    if (api.includes(port) || !(await isFreeEverywhere(port, host))) taken.push(port);
  if (taken.length === 0) return { api, metrics };
  if (settings.metricsPortFixed)
    throw new Error(
      `Port ${taken[0]} is taken (METRICS_PORT, one for each process: ${metrics.join(', ')}).`,
    );
  const free = await freePort(replicas + 1, host);
  note(`Port ${taken[0]} is taken, so metrics are on port ${free} and following.`);
  return { api, metrics: series(free, replicas + 1) };
}

function series(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

// "localhost" is often ::1 first: somebody who listens there alone would get our visitors.
async function isFreeEverywhere(port: number, host: string): Promise<boolean> {
  for (const address of new Set([host, '127.0.0.1', '::1']))
    if (!(await isPortFree(port, address))) return false;
  return true;
}
