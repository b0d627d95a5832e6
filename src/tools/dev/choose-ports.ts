// Chooses the ports of all processes of the stack before any of them is started.
import { freePort, isPortFree } from './ports.ts';
import type { Settings } from './settings.ts';

export interface StackPorts {
  /** The port of each replica. */
  api: number[];
  /** The metrics port of each replica, and behind them that of the worker; zeros when metrics are off. */
  metrics: number[];
}

/**
 * @param note receives a line when the default ports for metrics are taken and others are used
 * @throws Error naming the port that is taken
 */
export async function choosePorts(settings: Settings, note: (line: string) => void): Promise<StackPorts> {
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
  for (const port of metrics) if (api.includes(port) || !(await isFreeEverywhere(port, host))) taken.push(port);
  if (taken.length === 0) return { api, metrics };
  if (settings.metricsPortFixed)
    throw new Error(`Port ${taken[0]} is taken (METRICS_PORT, one for each process: ${metrics.join(', ')}).`);
  const free = await freePort(replicas + 1, host);
  note(`Port ${taken[0]} is taken, so metrics are on port ${free} and following.`);
  return { api, metrics: series(free, replicas + 1) };
}

function series(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

// A browser may resolve "localhost" to ::1 first, and would reach another program that listens there alone.
async function isFreeEverywhere(port: number, host: string): Promise<boolean> {
  for (const address of new Set([host, '127.0.0.1', '::1'])) if (!(await isPortFree(port, address))) return false;
  return true;
}
