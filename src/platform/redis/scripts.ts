// Loads and runs Lua scripts, each of which is a file whose header names KEYS, ARGV and replies.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RedisClient } from './redis.ts';

/** Lua text, or a file with it. */
type Part = URL | string;

const NOW = new URL('lua/now.lua', import.meta.url);

/** For a script that touches keys of many slots of its server. One that is elsewhere by now is an error. */
const ANY_SLOT = '#!lua flags=allow-cross-slot-keys';

export type Script = ReturnType<typeof joinParts>;

/**
 * @param parts the `.lua` file, as `new URL('lua/x.lua', import.meta.url)`, after the files whose functions it uses,
 *   with Lua text where something has to be around a file; every script can use the functions of now.lua
 */
export const loadScript = (...parts: Part[]) => joinParts(NOW, ...parts);

/** Loads a script whose keys come as ARGV, since KEYS are of one slot. @param parts as for `loadScript` */
export const loadAnySlotScript = (...parts: Part[]) => joinParts(ANY_SLOT, NOW, ...parts);

function joinParts(...parts: Part[]) {
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

/**
 * @param max the weight at which a chunk ends; its last item may exceed it
 * @returns the items in their order
 */
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
