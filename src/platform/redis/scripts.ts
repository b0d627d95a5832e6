// Loads and runs Lua scripts, each of which is a file whose header names KEYS, ARGV and replies.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RedisClient } from './redis.ts';

const NOW = new URL('lua/now.lua', import.meta.url);

export type Script = ReturnType<typeof joinParts>;

/**
 * @param parts the `.lua` file, as `new URL('lua/x.lua', import.meta.url)`, after the files whose functions it uses,
 *   with Lua text where something has to be around a file; every script can use the functions of now.lua
 */
export const loadScript = (...parts: (URL | string)[]) => joinParts([NOW, ...parts]);

/** Loads a script whose keys, of any slots of its server, come as ARGV. A key that is elsewhere by now is an error. */
export const loadAnySlotScript = (file: URL) => joinParts(['#!lua flags=allow-cross-slot-keys', NOW, file]);

function joinParts(parts: (URL | string)[]) {
  const source = parts.map((part) => (part instanceof URL ? readFileSync(part, 'utf8') : part)).join('\n');
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}

/** Runs a script by its hash; it is sent in full to a server that does not know it yet. @param keys of one hash slot */
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

/** @returns chunks of the items; each ends where its weight reaches `max` */
export function chunksOf<T>(items: readonly T[], max: number, weightOf: (item: T) => number = () => 1): T[][] {
  const chunks: T[][] = [];
  let room = 0;
  for (const item of items) {
    if (room <= 0) {
      chunks.push([]);
      room = max;
    }
    chunks.at(-1)?.push(item);
    room -= weightOf(item);
  }
  return chunks;
}
