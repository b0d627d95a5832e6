// Sets in Redis whose members expire one by one, such as the open sockets of a user: a member that a crashed process
// no longer renews is removed.
import type { RedisClient } from './redis.ts';
import { loadScript, runScript } from './scripts.ts';

const putScript = loadScript(new URL('lua/put-members.lua', import.meta.url));

export interface ExpiringMember {
  key: string;
  member: string;
}

/** Adds a member unless the set is full. @returns 0, or for a full set in how many ms its first member expires */
export async function addMember(
  redis: RedisClient,
  { key, member }: ExpiringMember,
  { max, ttlMs }: { max: number; ttlMs: number },
): Promise<number> {
  return Number(await runScript(redis, putScript, [key], [ttlMs, max, member]));
}

/** Renews members, and adds those that have expired or were lost. @param members their keys share one hash slot */
export async function renewMembers(
  redis: RedisClient,
  members: readonly ExpiringMember[],
  ttlMs: number,
): Promise<void> {
  const keys = members.map(({ key }) => key);
  await runScript(redis, putScript, keys, [ttlMs, '', ...members.map(({ member }) => member)]);
}
