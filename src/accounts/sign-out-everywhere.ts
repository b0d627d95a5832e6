// Ends all sessions of a user, or one, on every replica at once; open sockets close within a minute. No device stays
// trusted, so that the next sign-in on each asks for a code of the second factor.
import { forgetDevices } from '../auth/device-trust.ts';
import { createSecondaryStorage } from '../auth/sessions/secondary-storage.ts';
import type { Services } from '../services.ts';
import { tokensOf } from './store.ts';

/**
 * @param sessionId the session to end, if it is one of the user's; by default all of them
 * @returns the number of ended sessions
 */
export async function signOutEverywhere(
  { db, redis, sessionCache }: Pick<Services, 'db' | 'redis' | 'sessionCache'>,
  userId: string,
  sessionId?: string,
): Promise<number> {
  if (sessionId && (await tokensOf(db, userId, sessionId)).length === 0) return 0;
  const trust = { db, secondaryStorage: createSecondaryStorage(redis, db, sessionCache) };
  await forgetDevices(trust, userId);
  const tokens = await tokensOf(db, userId, sessionId);
  await Promise.all(tokens.map((token) => sessionCache.remove(token)));
  await db.session.deleteMany({ where: { userId, ...(sessionId && { id: sessionId }) } });
  // A concurrent sign-in may have trusted its device in the meantime.
  await forgetDevices(trust, userId);
  return tokens.length;
}
