// Reads from /proc which processes the machine has, and how much CPU they have used.
import { readdirSync, readFileSync } from 'node:fs';

/** @returns all processes; without /proc none. Times are in hundredths of a second */
export function processes(): { pid: number; parentPid: number; ticks: number; endedTicks: number }[] {
  return filesOf('/proc').flatMap((pid) => {
    try {
      const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name of the program may contain any character; the fields after it count from the third.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      const field = (number: number) => Number(fields[number - 3]);
      return { pid: Number(pid), parentPid: field(4), ticks: field(14) + field(15), endedTicks: field(16) + field(17) };
    } catch {
      // It is no process, or has ended meanwhile.
      return [];
    }
  });
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
