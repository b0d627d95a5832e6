// Lua scripts: one file a script, its header naming KEYS, ARGV and replies. A script is called by
// its hash and sent in full only to a server that does not know it yet.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RedisClient } from './redis.ts';

/** The start, before all else, of a script that touches keys of many slots of one server. */
export const ANY_SLOT = new URL('lua/any-slot.lua', import.meta.url);

/** A script that can be run on any connection. */
export interface Script {
  source: string;
  sha: string;
}

/**
 * @param files the `.lua` file, as `new URL('lua/x.lua', import.meta.url)`, after those whose
 * functions it uses
 */
export function loadScript(...files: URL[]): Script {
  const source = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}

/**
 * Runs a script atomically.
 * @param keys every key it touches, all of one hash slot
 * @returns the script's reply
 */
export async function runScript(
  redis: RedisClient,
  script: Script,
  keys: string[],
  args: (string | number)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(script.sha, keys.length, ...keys, ...args);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return redis.eval(script.source, keys.length, ...keys, ...args);
  }
}
