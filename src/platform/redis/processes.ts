// The processes of the service, for operators. Each one names its connection for commands, and Redis lists the
// connections with their names: a process that dies leaves nothing behind.
import { hostname } from 'node:os';
import { mastersOf, type RedisClient } from './redis.ts';

/** The host and pid of this process, which its log lines have too. On Kubernetes the host is the pod. */
export const PROCESS_NAME = `${hostname()}/${process.pid}`;

export type Program = 'api' | 'worker';

export interface ListedProcess {
  program: string;
  version: string;
  /** Its `PROCESS_NAME`. */
  name: string;
  /** For how long it has been connected, in seconds. */
  connectedSeconds: number;
  /** How long ago it sent its last command, in seconds. A process that runs sends one every two seconds. */
  silentSeconds: number;
}

export function connectionName(program: Program, version: string): string {
  return ['quiz', program, version, PROCESS_NAME].join(':');
}

export async function listProcesses(redis: RedisClient): Promise<ListedProcess[]> {
  const masters = await mastersOf(redis);
  const lists = await Promise.all(masters.map((master) => master.client('LIST')));
  const found = new Map<string, ListedProcess>();
  for (const line of lists.flatMap((list) => String(list).split('\n'))) {
    const listed = parseClient(line);
    if (!listed) continue;
    const other = found.get(listed.name);
    // On a cluster a process has a connection to each master.
    found.set(listed.name, other ? combined(listed, other) : listed);
  }
  const order = ({ program, name }: ListedProcess) => `${program} ${name}`;
  return [...found.values()].sort((a, b) => order(a).localeCompare(order(b)));
}

/** @returns null for a connection that has another name, or none */
function parseClient(line: string): ListedProcess | null {
  const fields = Object.fromEntries(
    line.split(' ').map((field) => {
      const at = field.indexOf('=');
      return [field.slice(0, at), field.slice(at + 1)];
    }),
  );
  const [, program, version, name] = /^quiz:([^:]+):([^:]+):([^:]+)$/.exec(fields.name ?? '') ?? [];
  if (!program || !version || !name) return null;
  const seconds = { connectedSeconds: Number(fields.age), silentSeconds: Number(fields.idle) };
  return { program, version, name, ...seconds };
}

function combined(a: ListedProcess, b: ListedProcess): ListedProcess {
  return {
    ...a,
    connectedSeconds: Math.max(a.connectedSeconds, b.connectedSeconds),
    silentSeconds: Math.min(a.silentSeconds, b.silentSeconds),
  };
}
