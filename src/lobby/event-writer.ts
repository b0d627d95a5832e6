// Runs the scripts that append events to a lobby's log. [contract 5.9, 16]
import { randomUUID } from 'node:crypto';
import { PROCESS_NAME } from '../platform/redis/processes.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { loadScript, runScript, type Script } from '../platform/redis/scripts.ts';
import { createLogBudget, type LogBudget, type ToldLog, TRIM_LOG } from './log-budget.ts';

const APPEND_EVENT = new URL('lua/append-event.lua', import.meta.url);

/**
 * Loads a script that appends events, for `runAppending`: its reply is told apart from what the log has grown to.
 * @param files the script, after the files whose functions it uses
 */
export function loadAppendingScript(...files: [URL, ...URL[]]): Script {
  const functions = files.slice(0, -1);
  const [script] = files.slice(-1) as [URL];
  const parts = [TRIM_LOG, APPEND_EVENT, ...functions];
  return loadScript(
    ...parts,
    'local function run()',
    script,
    'end',
    'local reply = run()',
    'return { log_to_tell(), reply }',
  );
}

/** A lobby's keys in Redis must outlive the lobby, which the worker deletes when it is idle. */
const TTL_MARGIN_MS = 3_600_000;

export interface EventWriter {
  redis: RedisClient;
  /** How long a lobby's keys live after its last event or the last sign of a socket, ms. */
  lobbyTtlMs: number;
  /** The process that appends the event: the log names it for operators. */
  processName: string;
  logBudget: LogBudget;
}

/** @param idleTtlSeconds after how long the worker deletes a lobby without a connected user */
export function eventWriter(redis: RedisClient, idleTtlSeconds: number): EventWriter {
  return {
    redis,
    processName: PROCESS_NAME,
    logBudget: createLogBudget(redis),
    lobbyTtlMs: idleTtlSeconds * 1000 + TTL_MARGIN_MS,
  };
}

/** Runs a script that appends events; its last argument identifies the process and the call. */
export async function runAppending(
  { redis, processName, logBudget }: Pick<EventWriter, 'redis' | 'processName' | 'logBudget'>,
  script: Script,
  keys: string[],
  args: (string | number)[],
): Promise<unknown> {
  const call = JSON.stringify({ by: processName, callId: randomUUID() });
  const [log, reply] = (await runScript(redis, script, keys, [...args, call])) as [ToldLog, unknown];
  if (log.length > 0) logBudget.note(keys[0] as string, log);
  return reply;
}
