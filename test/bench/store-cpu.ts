// Reads the CPU time of the stores, so that no path looks cheap because the stores do its work.
import { readdirSync, readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import type { RedisClient } from '../../src/platform/redis/redis.ts';

/** Linux reports CPU time to programs in this unit, whatever the kernel's own. */
const TICKS_A_SECOND = 100;

/** @returns the CPU time of all threads of the server since its start, ms, as Redis reports it */
export async function redisCpuMs(redis: RedisClient): Promise<number> {
  const info = await (redis as Redis).info('cpu');
  const seconds = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
  return (seconds('used_cpu_user') + seconds('used_cpu_sys')) * 1000;
}

/**
 * @param pid the postmaster, which has a child process for each connection
 * @returns the CPU time of all of them, including those that have ended, ms; 0 without /proc
 */
export function postgresCpuMs(pid: number): number {
  const stats = processes()
    .map(statOf)
    .filter((stat) => stat !== null);
  const own = stats.find((stat) => stat.pid === pid);
  const children = stats.filter((stat) => stat.parentPid === pid);
  const ticks = [own?.ticks, own?.endedTicks, ...children.map((child) => child.ticks)];
  return (ticks.reduce<number>((sum, each) => sum + (each ?? 0), 0) * 1000) / TICKS_A_SECOND;
}

function processes(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/**
 * Reads the fields of proc(5). The name of the program may contain any character; the fields after it count
 * from the third.
 */
function statOf(pid: string) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const field = (number: number) => Number(fields[number - 3]);
    return {
      pid: Number(pid),
      parentPid: field(4),
      ticks: field(14) + field(15),
      endedTicks: field(16) + field(17),
    };
  } catch {
    // The process has ended meanwhile.
    return null;
  }
}
