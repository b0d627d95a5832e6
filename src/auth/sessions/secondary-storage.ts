// better-auth's secondary storage in Redis. better-auth's own list of a user's sessions can miss one, after a lost
// copy or concurrent sign-ins. So PostgreSQL supplies that list, and "sign out everywhere" ends every session.
import type { BetterAuthOptions } from 'better-auth';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { RedisClient } from '../../platform/redis/redis.ts';
import { isSessionToken, SESSION_LIST_PREFIX } from '../plugins/better-auth-names.ts';
import { noteOutage } from '../store-failures.ts';
import type { SessionCache } from './session-cache.ts';

type SecondaryStorage = NonNullable<BetterAuthOptions['secondaryStorage']>;

/** @param redis a Redis connection of role `commands` */
export function createSecondaryStorage(redis: RedisClient, db: Database, sessions: SessionCache): SecondaryStorage {
  const keyOf = (key: string) => `auth:${key}`;

  async function get(key: string): Promise<string | null> {
    if (isSessionToken(key)) return (await sessions.read(key))?.json ?? null;
    if (key.startsWith(SESSION_LIST_PREFIX)) return listSessions(db, key.slice(SESSION_LIST_PREFIX.length));
    return redis.get(keyOf(key));
  }

  async function set(key: string, value: string, ttlSeconds?: number): Promise<void> {
    if (key.startsWith(SESSION_LIST_PREFIX)) return;
    if (isSessionToken(key)) return sessions.write(key, value, ttlSeconds ?? 1);
    if (ttlSeconds) await redis.set(keyOf(key), value, 'EX', ttlSeconds);
    else await redis.set(keyOf(key), value);
  }

  async function remove(key: string): Promise<void> {
    if (key.startsWith(SESSION_LIST_PREFIX)) return;
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

async function listSessions(db: Database, userId: string): Promise<string> {
  const sessions = await db.session.findMany({
    where: { userId, expiresAt: { gt: new Date() } },
    select: { token: true, expiresAt: true },
  });
  return JSON.stringify(sessions.map(({ token, expiresAt }) => ({ token, expiresAt: expiresAt.getTime() })));
}
