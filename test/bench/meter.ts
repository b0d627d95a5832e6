// Measures the cost of some work for each kind of process, so that no path looks cheap because the stores do its work,
// and what processes use that don't report it to the bench.
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { processes } from '../support/proc.ts';
import type { Child } from './child.ts';
import type { Stage } from './stage.ts';

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

/** Linux reports CPU time to programs in this unit, whatever the kernel's own. */
const TICKS_A_SECOND = 100;

export interface RedisUse {
  /** The CPU time of all threads, ms. */
  cpuMs: number;
  commands: number;
}

/** @returns what a server has used since its start, as it reports */
export async function redisUse(server: Redis): Promise<RedisUse> {
  const info = await server.info();
  const number = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
  return {
    cpuMs: (number('used_cpu_user') + number('used_cpu_sys')) * 1000,
    commands: number('total_commands_processed'),
  };
}

/** @returns the CPU time of all servers since their start, ms */
export async function redisCpuMs(servers: readonly Redis[]): Promise<number> {
  const uses = await Promise.all(servers.map(redisUse));
  return uses.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

/** @returns the resident memory of a process; 0 without /proc */
export function residentBytes(pid: number): number {
  try {
    const [, kb] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kb ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/**
 * @param pid the postmaster, which has a child process for each connection
 * @returns the CPU time of all of them, including those that have ended, ms; 0 without /proc
 */
export function postgresCpuMs(pid: number): number {
  const all = processes();
  const own = all.find((one) => one.pid === pid);
  const children = all.filter((one) => one.parentPid === pid);
  const ticks = [own?.ticks, own?.endedTicks, ...children.map((child) => child.ticks)];
  return (ticks.reduce<number>((sum, each) => sum + (each ?? 0), 0) * 1000) / TICKS_A_SECOND;
}
