// The processes of the service, for operators. Each one names its connection for commands, and Redis lists the
// connections with their names: a process that dies leaves nothing behind.
import { hostname } from 'node:os';
import { mastersOf, type RedisClient } from './redis.ts';

/** The host and pid of this process, which its log lines have too. On Kubernetes the host is the pod. */
export const PROCESS_NAME = `${hostname()}/${process.pid}`;

export type Program = 'api' | 'worker';
export type ListedProcess = Awaited<ReturnType<typeof listProcesses>>[number];

export const connectionName = (program: Program, version: string) => ['quiz', program, version, PROCESS_NAME].join(':');

/** @returns the processes, each with the seconds since it connected, and since its last command */
export async function listProcesses(redis: RedisClient) {
  const masters = await mastersOf(redis);
  const lists = await Promise.all(masters.map((master) => master.client('LIST')));
  const connections = lists.flatMap((list) => String(list).split('\n')).flatMap(parseClient);
  // On a cluster a process has a connection to each master.
  const processes = [...Map.groupBy(connections, ({ name }) => name).values()].map((own) => ({
    ...(own[0] as (typeof own)[number]),
    connectedSeconds: Math.max(...own.map(({ connectedSeconds }) => connectedSeconds)),
    silentSeconds: Math.min(...own.map(({ silentSeconds }) => silentSeconds)),
  }));
  return processes.sort((a, b) => a.program.localeCompare(b.program) || a.name.localeCompare(b.name));
}

/** @returns nothing for a connection that has another name, or none */
function parseClient(line: string) {
  const [, program, version, name] = / name=quiz:([^: ]+):([^: ]+):([^: ]+) /.exec(line) ?? [];
  if (!program || !version || !name) return [];
  const secondsOf = (field: string) => Number(new RegExp(` ${field}=(\\d+) `).exec(line)?.[1]);
  return [{ program, version, name, connectedSeconds: secondsOf('age'), silentSeconds: secondsOf('idle') }];
}
