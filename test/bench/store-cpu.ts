// Reads what processes use that don't report it to the bench: the CPU time of the stores, so that no path looks
// cheap because the stores do its work, and the memory of a busy process.
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { processes } from '../support/proc.ts';

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
