// The sessions in Redis, so that a request is authenticated without PostgreSQL. PostgreSQL stays
// the truth: what Redis has lost is read again, what it holds is checked every few minutes, and
// while PostgreSQL is away nobody is signed out. [contract 6]
import { counter } from '../platform/metrics.ts';
import { isOutage } from '../platform/outage.ts';
import type { Database } from '../platform/postgres.ts';
import type { RedisClient } from '../platform/redis.ts';
import { loadScript, runScript } from '../platform/scripts.ts';

const writeScript = loadScript(new URL('lua/write-session.lua', import.meta.url));

const reads = counter(
  'quiz_session_reads_total',
  'Sessions read, from Redis (hit) or, because it had none or an old one, PostgreSQL (reload).',
  ['result'],
);

/** How long a copy is believed before PostgreSQL is asked again: heals an end that was missed. */
const FRESH_MS = 5 * 60_000;

/** What stands in a removed session's place, for longer than any write can be under way. */
const REMOVED = '';
const REMOVED_SECONDS = 60;

/** The copies, as the JSON text `{ session, user }` that better-auth reads and writes. */
export interface SessionCache {
  /** @returns the session of `token`, or null when there is none; it may have expired. */
  read(token: string): Promise<string | null>;
  /** @param ttlSeconds what remains of the session's life */
  write(token: string, json: string, ttlSeconds: number): Promise<void>;
  /** Takes effect on every replica at once. */
  remove(token: string): Promise<void>;
}

/** @param redis a connection of role `commands` */
export function createSessionCache(redis: RedisClient, db: Database): SessionCache {
  const keyOf = (token: string) => `auth:session:${token}`;

  async function write(token: string, json: string, ttlSeconds: number): Promise<void> {
    const copy = `${Date.now() + FRESH_MS} ${json}`;
    await runScript(redis, writeScript, [keyOf(token)], [copy, ttlSeconds]);
  }

  async function remove(token: string): Promise<void> {
    await redis.set(keyOf(token), REMOVED, 'EX', REMOVED_SECONDS);
  }

  async function reload(token: string): Promise<string | null> {
    reads.inc({ result: 'reload' });
    const row = await db.session.findUnique({ where: { token }, include: { user: true } });
    const ttlSeconds = row ? Math.ceil((row.expiresAt.getTime() - Date.now()) / 1000) : 0;
    if (!row || ttlSeconds <= 0) {
      await remove(token);
      return null;
    }
    const { user, ...session } = row;
    const json = JSON.stringify({ session, user });
    await write(token, json, ttlSeconds);
    return json;
  }

  async function read(token: string): Promise<string | null> {
    const copy = await redis.get(keyOf(token));
    if (copy === REMOVED) return null;
    if (copy === null) return reload(token);
    const end = copy.indexOf(' ');
    const json = copy.slice(end + 1);
    if (Number(copy.slice(0, end)) > Date.now()) {
      reads.inc({ result: 'hit' });
      return json;
    }
    try {
      return await reload(token);
    } catch (error) {
      if (isOutage(error)) return json;
      throw error;
    }
  }

  return { read, write, remove };
}
