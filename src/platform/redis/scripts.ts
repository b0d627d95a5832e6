// Loads and runs Lua scripts. Each script is a file whose header names KEYS, ARGV and replies. A script is called by
// its hash, and sent in full only to a server that does not know it yet.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RedisClient } from './redis.ts';

const NOW = new URL('lua/now.lua', import.meta.url);
const ANY_SLOT = new URL('lua/any-slot.lua', import.meta.url);

export interface Script {
  source: string;
  sha: string;
}

/**
 * @param parts the `.lua` file, as `new URL('lua/x.lua', import.meta.url)`, after the files whose functions it uses, with
 *   Lua text where something has to be around a file; every script can use the functions of now.lua
 */
export function loadScript(...parts: (URL | string)[]): Script {
  return joinParts([NOW, ...parts]);
}

/** Loads a script that uses keys of many hash slots of one server. @param files as for `loadScript` */
export function loadAnySlotScript(...files: URL[]): Script {
  return joinParts([ANY_SLOT, NOW, ...files]);
}

function joinParts(parts: (URL | string)[]): Script {
  const texts = parts.map((part) => (part instanceof URL ? readFileSync(part, 'utf8') : part));
  const source = texts.join('\n');
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}

/** Runs a script atomically. @param keys every key that it uses, all of one hash slot */
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
