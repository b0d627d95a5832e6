// What better-auth keeps in Redis. Where its own bookkeeping could miss a session, a copy lost or two
// sign-ins at once, PostgreSQL answers instead, so that "sign out everywhere" leaves none behind.
import type { BetterAuthOptions } from 'better-auth';
import type { Database } from '../platform/postgres.ts';
import type { RedisClient } from '../platform/redis.ts';
import { noteOutage } from './outages.ts';
import type { SessionCache } from './session-cache.ts';

type SecondaryStorage = NonNullable<BetterAuthOptions['secondaryStorage']>;

/** better-auth names a session by its bare token, and a user's list of them by this prefix. */
const SESSION_TOKEN = /^[A-Za-z0-9]{32}$/;
const SESSIONS_OF = 'active-sessions-';

/** @param redis a connection of role `commands` */
export function createSecondaryStorage(
  redis: RedisClient,
  db: Database,
  sessions: SessionCache,
): SecondaryStorage {
  const keyOf = (key: string) => `auth:${key}`;

  async function get(key: string): Promise<string | null> {
    if (SESSION_TOKEN.test(key)) return (await sessions.read(key))?.json ?? null;
    if (key.startsWith(SESSIONS_OF)) return listSessions(db, key.slice(SESSIONS_OF.length));
    return redis.get(keyOf(key));
  }

  async function set(key: string, value: string, ttlSeconds?: number): Promise<void> {
    if (key.startsWith(SESSIONS_OF)) return;
    if (SESSION_TOKEN.test(key)) return sessions.write(key, value, ttlSeconds ?? 1);
    if (ttlSeconds) await redis.set(keyOf(key), value, 'EX', ttlSeconds);
    else await redis.set(keyOf(key), value);
  }

  async function remove(key: string): Promise<void> {
    if (key.startsWith(SESSIONS_OF)) return;
    if (SESSION_TOKEN.test(key)) return sessions.remove(key);
    await redis.del(keyOf(key));
  }

  async function increment(key: string, ttlSeconds: number): Promise<number> {
    const replies = await redis
      .multi()
      .incr(keyOf(key))
      .expire(keyOf(key), ttlSeconds, 'NX')
      .exec();
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

async function listSessions(db: Database, userId: string): Promise<string> {
  const sessions = await db.session.findMany({
    where: { userId, expiresAt: { gt: new Date() } },
    select: { token: true, expiresAt: true },
  });
  return JSON.stringify(
    sessions.map(({ token, expiresAt }) => ({ token, expiresAt: expiresAt.getTime() })),
  );
}
