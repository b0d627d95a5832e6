// Runs the scripts that append events to a lobby's log. [contract 5.9, 16]
import { randomUUID } from 'node:crypto';
import { PROCESS_NAME } from '../platform/redis/processes.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { runScript, type Script } from '../platform/redis/scripts.ts';

/** The functions that every script needs that appends events: `loadScript(APPEND_EVENT, …)`. */
export const APPEND_EVENT = new URL('lua/append-event.lua', import.meta.url);

/** A lobby's keys in Redis must outlive the lobby, which the worker deletes when it is idle. */
const TTL_MARGIN_MS = 3_600_000;

export interface EventWriter {
  redis: RedisClient;
  /** How long a lobby's keys live after its last event or the last sign of a socket, ms. */
  lobbyTtlMs: number;
  /** The process that appends the event: the log names it for operators. */
  processName: string;
}

/** @param idleTtlSeconds after how long the worker deletes a lobby without a connected user */
export function eventWriter(redis: RedisClient, idleTtlSeconds: number): EventWriter {
  return {
    redis,
    processName: PROCESS_NAME,
    lobbyTtlMs: idleTtlSeconds * 1000 + TTL_MARGIN_MS,
  };
}

/** Runs a script that appends events; its last argument identifies the process and the call. */
export function runAppending(
  { redis, processName }: Pick<EventWriter, 'redis' | 'processName'>,
  script: Script,
  keys: string[],
  args: (string | number)[],
): Promise<unknown> {
  const call = { by: processName, callId: randomUUID() };
  return runScript(redis, script, keys, [...args, JSON.stringify(call)]);
}
