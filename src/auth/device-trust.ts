// Ends a user's sessions, and better-auth's "verifications": trusted devices, sign-ins that wait for a code, and
// password links. Each has a row in PostgreSQL and a copy in Redis. The worker does so as well when it deletes an
// account, so that this file does not load better-auth. [contract 17]
import type { BetterAuthOptions } from 'better-auth';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { PENDING_SIGN_IN_PREFIX, TRUSTED_DEVICE_PREFIX, verificationKey } from './plugins/better-auth-names.ts';
import { noteOutage } from './store-failures.ts';

/** Where better-auth's records of accounts are. */
export interface AccountStores<Db = Database> {
  db: Db;
  /** better-auth's secondary storage, which has copies of sessions, links and trusted devices. */
  secondaryStorage: Pick<NonNullable<BetterAuthOptions['secondaryStorage']>, 'delete'>;
}

/** Copies go before a transaction's commit, so that a crash leaves none; after a rollback they are made again. */
type Records = AccountStores<Pick<Prisma.TransactionClient, 'session' | 'verification'>>;

export type RemoveTrust = (userId: string) => Promise<void>;

/** Copies go first, so that a crash leaves none without its row. @returns the number of ended sessions */
export async function endSessions({ db, secondaryStorage }: Records, where: { userId: string; id?: string }) {
  const sessions = await db.session.findMany({ where, select: { token: true } });
  await Promise.all(sessions.map(({ token }) => secondaryStorage.delete(token)));
  await db.session.deleteMany({ where });
  return sessions.length;
}

/** Removes a user's trusted devices. */
export function forgetDevices(stores: Records, userId: string): Promise<void> {
  return noteOutage(() => endVerifications(stores, userId, [TRUSTED_DEVICE_PREFIX, PENDING_SIGN_IN_PREFIX]));
}

export async function endVerifications({ db, secondaryStorage }: Records, userId: string, prefixes: string[]) {
  const OR = prefixes.map((prefix) => ({ identifier: { startsWith: prefix } }));
  const where = { value: userId, OR };
  const found = await db.verification.findMany({ where, select: { identifier: true } });
  await db.verification.deleteMany({ where });
  for (const { identifier } of found) await secondaryStorage.delete(verificationKey(identifier));
}
