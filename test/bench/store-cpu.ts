// What the stores have used, so that no path looks cheap by leaving its work to them.
import { readdirSync, readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import type { RedisClient } from '../../src/platform/redis.ts';

/** Linux counts processor time in these for every program, whatever its own clock. */
const TICKS_A_SECOND = 100;

/** @returns what all of the server's threads have used since its start, ms, by its own account */
export async function redisCpuMs(redis: RedisClient): Promise<number> {
  const info = await (redis as Redis).info('cpu');
  const seconds = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
  return (seconds('used_cpu_user') + seconds('used_cpu_sys')) * 1000;
}

/**
 * @param pid PostgreSQL's first process; there is one more a connection
 * @returns what all of them, those that have ended too, have used, ms; 0 where there is no /proc
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

/** See proc(5): the fields behind the name, which may hold anything, count from the third. */
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
    // It ended a moment ago.
    return null;
  }
}
