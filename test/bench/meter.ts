// Measures the cost of some work for each kind of process, so that no path looks cheap because the stores do its work,
// and what processes use that don't report it to the bench.
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { processes } from '../support/proc.ts';
import type { Child } from './child.ts';
import { COST_NAMES, type Cost, sum } from './figures.ts';
import type { Stage } from './stage.ts';

/** The measured processes besides the stores. */
export interface Parts {
  apis: Child[];
  worker?: Child;
}

/** Runs `work`. @returns its result, cost and duration */
export async function measure<T>(stage: Stage, parts: Parts, work: () => Promise<T>) {
  const before = await used(stage, parts);
  const startedMs = performance.now();
  const result = await work();
  const durationMs = performance.now() - startedMs;
  const after = await used(stage, parts);
  const cost = Object.fromEntries(COST_NAMES.map(([part]) => [part, after[part] - before[part]])) as unknown as Cost;
  return { cost, durationMs, result };
}

async function used({ redisServers, postgresPid }: Stage, { apis, worker: measured }: Parts): Promise<Cost> {
  const api = sum(await Promise.all(apis.map((each) => each.cpuMs())));
  const worker = (await measured?.cpuMs()) ?? 0;
  const redis = await redisCpuMs(redisServers);
  const postgres = postgresCpuMs(postgresPid);
  return { all: api + worker + redis + postgres, api, worker, redis, postgres };
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
  return sum(uses.map(({ cpuMs }) => cpuMs));
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
  const ticks = processes().map((one) => {
    if (one.pid === pid) return one.ticks + one.endedTicks;
    return one.parentPid === pid ? one.ticks : 0;
  });
  return (sum(ticks) * 1000) / TICKS_A_SECOND;
}
