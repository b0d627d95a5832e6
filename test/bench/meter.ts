// Measures the cost of some work for each kind of process, so that no path looks cheap because the stores do its work.
import type { Child } from './child.ts';
import type { Stage } from './stage.ts';
import { postgresCpuMs, redisCpuMs } from './store-cpu.ts';

/** CPU, ms. */
export interface Cost {
  all: number;
  /** Of the processes that clients connect to. */
  api: number;
  worker: number;
  redis: number;
  postgres: number;
}

export const COST_NAMES: [part: keyof Cost, name: string][] = [
  ['all', 'all processes'],
  ['api', 'the API'],
  ['redis', 'Redis'],
  ['postgres', 'PostgreSQL'],
  ['worker', 'the worker'],
];

/** The measured processes besides the stores. */
export interface Parts {
  apis: Child[];
  worker?: Child;
}

/** @returns the average cost, µs */
export function eachOf(cost: Cost, count: number): Cost {
  const parts = Object.entries(cost).map(([part, ms]) => [part, (ms * 1000) / count]);
  return Object.fromEntries(parts) as Cost;
}

/** Runs `work`. @returns its result, cost and duration */
export async function measure<T>(stage: Stage, parts: Parts, work: () => Promise<T>) {
  const before = await used(stage, parts);
  const startedMs = performance.now();
  const result = await work();
  const durationMs = performance.now() - startedMs;
  const after = await used(stage, parts);
  const of = (part: keyof typeof before) => after[part] - before[part];
  const [api, worker, redis, postgres] = [of('api'), of('worker'), of('redis'), of('postgres')];
  const cost: Cost = { all: api + worker + redis + postgres, api, worker, redis, postgres };
  return { cost, durationMs, result };
}

async function used({ redisServers, postgresPid }: Stage, { apis, worker }: Parts) {
  const ofApis = await Promise.all(apis.map((api) => api.cpuMs()));
  return {
    api: ofApis.reduce((sum, each) => sum + each, 0),
    worker: (await worker?.cpuMs()) ?? 0,
    redis: await redisCpuMs(redisServers),
    postgres: postgresCpuMs(postgresPid),
  };
}
