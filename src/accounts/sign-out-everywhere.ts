// Ends all sessions of a user on every replica at once; open sockets close within a minute. No device stays
// trusted, so that the next sign-in on each asks for a code of the second factor.
import { forgetDevices } from '../auth/device-trust.ts';
import { createSecondaryStorage } from '../auth/sessions/secondary-storage.ts';
import type { Services } from '../services.ts';
import { deleteSessions, tokensOf } from './store.ts';

/** @returns the number of ended sessions */
export async function signOutEverywhere(
  { db, redis, sessionCache }: Pick<Services, 'db' | 'redis' | 'sessionCache'>,
  userId: string,
): Promise<number> {
  const trust = { db, secondaryStorage: createSecondaryStorage(redis, db, sessionCache) };
  await forgetDevices(trust, userId);
  const tokens = await tokensOf(db, userId);
  await Promise.all(tokens.map((token) => sessionCache.remove(token)));
  await deleteSessions(db, userId);
  // A concurrent sign-in may have trusted its device in the meantime.
  await forgetDevices(trust, userId);
  return tokens.length;
}
