// Ends all sessions of a user on every replica at once; open sockets close within a minute. No device stays
// trusted, so that the next sign-in on each asks for a code of the second factor.
import { forgetDevices } from '../auth/device-trust.ts';
import { createSecondaryStorage, type SessionCache } from '../auth/sessions/secondary-storage.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { deleteSessions, tokensOf } from './store.ts';

export interface SignOutDeps {
  db: Database;
  /** A Redis connection of role `commands`. */
  redis: RedisClient;
  sessionCache: SessionCache;
}

/** @returns the number of ended sessions */
export async function signOutEverywhere({ db, redis, sessionCache }: SignOutDeps, userId: string): Promise<number> {
  const trust = { db, secondaryStorage: createSecondaryStorage(redis, db, sessionCache) };
  await forgetDevices(trust, userId);
  const tokens = await tokensOf(db, userId);
  await Promise.all(tokens.map((token) => sessionCache.remove(token)));
  await deleteSessions(db, userId);
  // A concurrent sign-in may have trusted its device in the meantime.
  await forgetDevices(trust, userId);
  return tokens.length;
}
