// Reads from /proc which processes the machine has, and how much CPU they have used.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** @returns all processes; without /proc none. Times are in hundredths of a second */
export function processes(): { pid: number; parentPid: number; ticks: number; endedTicks: number }[] {
  const names = existsSync('/proc') ? readdirSync('/proc') : [];
  const pids = names.filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name of the program may contain any character; the fields after it count from the third.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      const field = (number: number) => Number(fields[number - 3]);
      return { pid: Number(pid), parentPid: field(4), ticks: field(14) + field(15), endedTicks: field(16) + field(17) };
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}
