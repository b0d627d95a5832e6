// Ends all sessions of a user, on every replica at once; open sockets follow within a minute.
import type { SessionCache } from '../auth/session-cache.ts';
import type { Database } from '../platform/postgres.ts';
import { deleteSessions, tokensOf } from './store.ts';

export interface SignOutDeps {
  db: Database;
  sessionCache: SessionCache;
}

/** @returns how many sessions there were */
export async function signOutEverywhere(
  { db, sessionCache }: SignOutDeps,
  userId: string,
): Promise<number> {
  const tokens = await tokensOf(db, userId);
  await Promise.all(tokens.map((token) => sessionCache.remove(token)));
  await deleteSessions(db, userId);
  return tokens.length;
}
