// better-auth's secondary storage in Redis, and the cache of sessions in it, with which a request is authenticated
// without PostgreSQL. PostgreSQL has the authoritative data: lost copies are read again, and existing ones are checked
// every few minutes. While PostgreSQL is unreachable, nobody is signed out. [contract 6]
import type { BetterAuthOptions } from 'better-auth';
import { counter } from '../../platform/observability/metrics.ts';
import { isOutage } from '../../platform/outages/outage.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { RedisClient } from '../../platform/redis/redis.ts';
import { loadScript, runScript } from '../../platform/redis/scripts.ts';
import { isSessionToken, SESSION_LIST_PREFIX } from '../plugins/better-auth-names.ts';
import { noteOutage } from '../store-failures.ts';

const writeScript = loadScript(new URL('lua/write-session.lua', import.meta.url));

const HELP = 'Sessions read, from Redis (hit) or, because it had none or an old one, PostgreSQL (reload).';
const reads = counter('quiz_session_reads_total', HELP, ['result']);

/** How long a copy is valid before it is compared with PostgreSQL, ms. The comparison finds a missed deletion. */
const FRESH_MS = 5 * 60_000;
/** How far replicas' clocks may differ, ms. A copy from a later time was written before a clock was set back. */
const CLOCKS_APART_MS = 1000;
/** The marker in a removed session's place. It lasts longer than any concurrent write. */
const REMOVED = '';
const REMOVED_SECONDS = 60;

export interface SessionCopy {
  /** Until when it is valid, ms since the epoch, with a random fraction, so that no two copies are equal. */
  version: string;
  /** `{ session, user }` in better-auth's format. */
  json: string;
}

export type SessionCache = ReturnType<typeof createSessionCache>;

export function createSessionCache(redis: RedisClient, db: Database) {
  const keyOf = (token: string) => `auth:session:${token}`;

  async function write(token: string, json: string, ttlSeconds: number): Promise<SessionCopy> {
    const version = (Date.now() + FRESH_MS + Math.random()).toFixed(4);
    await runScript(redis, writeScript, [keyOf(token)], [`${version} ${json}`, ttlSeconds]);
    return { version, json };
  }

  async function remove(token: string): Promise<void> {
    await redis.set(keyOf(token), REMOVED, 'EX', REMOVED_SECONDS);
  }

  async function reload(token: string): Promise<SessionCopy | null> {
    reads.inc({ result: 'reload' });
    const row = await db.session.findUnique({ where: { token }, include: { user: true } });
    const ttlSeconds = row ? Math.ceil((row.expiresAt.getTime() - Date.now()) / 1000) : 0;
    if (!row || ttlSeconds <= 0) {
      await remove(token);
      return null;
    }
    const { user, ...session } = row;
    return write(token, JSON.stringify({ session, user }), ttlSeconds);
  }

  /** @returns the session of `token`, which may have expired, or null */
  async function read(token: string): Promise<SessionCopy | null> {
    const text = await redis.get(keyOf(token));
    if (text === REMOVED) return null;
    if (text === null) return reload(token);
    const end = text.indexOf(' ');
    const copy = { version: text.slice(0, end), json: text.slice(end + 1) };
    const trustedForMs = Number(copy.version) - Date.now();
    if (trustedForMs > 0 && trustedForMs <= FRESH_MS + CLOCKS_APART_MS) {
      reads.inc({ result: 'hit' });
      return copy;
    }
    try {
      return await reload(token);
    } catch (error) {
      if (isOutage(error)) return copy;
      throw error;
    }
  }

  return { read, write, remove };
}

type SecondaryStorage = NonNullable<BetterAuthOptions['secondaryStorage']>;

export function createSecondaryStorage(redis: RedisClient, db: Database, sessions: SessionCache): SecondaryStorage {
  const keyOf = (key: string) => `auth:${key}`;
  const isSessionList = (key: string) => key.startsWith(SESSION_LIST_PREFIX);

  async function get(key: string): Promise<string | null> {
    if (isSessionToken(key)) return (await sessions.read(key))?.json ?? null;
    return isSessionList(key) ? listSessions(key.slice(SESSION_LIST_PREFIX.length)) : redis.get(keyOf(key));
  }

  async function listSessions(userId: string): Promise<string> {
    const where = { userId, expiresAt: { gt: new Date() } };
    const found = await db.session.findMany({ where, select: { token: true, expiresAt: true } });
    return JSON.stringify(found.map(({ token, expiresAt }) => ({ token, expiresAt: expiresAt.getTime() })));
  }

  async function set(key: string, value: string, ttlSeconds?: number): Promise<void> {
    if (isSessionList(key)) return;
    if (isSessionToken(key)) await sessions.write(key, value, ttlSeconds ?? 1);
    else if (ttlSeconds) await redis.set(keyOf(key), value, 'EX', ttlSeconds);
    else await redis.set(keyOf(key), value);
  }

  async function remove(key: string): Promise<void> {
    if (isSessionList(key)) return;
    if (isSessionToken(key)) return sessions.remove(key);
    await redis.del(keyOf(key));
  }

  async function increment(key: string, ttlSeconds: number): Promise<number> {
    const replies = await redis.multi().incr(keyOf(key)).expire(keyOf(key), ttlSeconds, 'NX').exec();
    return Number(replies?.[0]?.[1]);
  }

  return {
    get: (key) => noteOutage(() => get(key)),
    set: (key, value, ttlSeconds) => noteOutage(() => set(key, value, ttlSeconds)),
    delete: (key) => noteOutage(() => remove(key)),
    getAndDelete: (key) => noteOutage(() => redis.getdel(keyOf(key))),
    increment: (key, ttlSeconds) => noteOutage(() => increment(key, ttlSeconds)),
  };
}
