// Removes better-auth's "verifications" of a user: trusted devices, sign-ins that wait for a code, and password links.
// Each has a row in PostgreSQL and a copy in Redis. The worker does so as well when it deletes an account, so that this
// file does not load better-auth. [contract 17]
import type { BetterAuthOptions } from 'better-auth';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Services } from '../services.ts';
import { PENDING_SIGN_IN_PREFIX, TRUSTED_DEVICE_PREFIX, verificationKey } from './plugins/better-auth-names.ts';
import { noteOutage } from './store-failures.ts';

/** Where better-auth's records of accounts are. */
export type AccountStores = Pick<Services, 'db'> & {
  /** better-auth's secondary storage, which has copies of sessions, links and trusted devices. */
  secondaryStorage: Pick<NonNullable<BetterAuthOptions['secondaryStorage']>, 'delete'>;
};

/** Removes a user's trusted devices within a transaction. @returns the keys of the copies to delete afterwards */
export function endTrust(tx: Pick<Prisma.TransactionClient, 'verification'>, userId: string): Promise<CopyKeys> {
  return endVerifications(tx, userId, [TRUSTED_DEVICE_PREFIX, PENDING_SIGN_IN_PREFIX]);
}

/** Removes a user's trusted devices in one statement of its own. @returns as `endTrust` */
export async function forgetDevices(deps: AccountStores, userId: string): Promise<void> {
  for (const key of await noteOutage(() => endTrust(deps.db, userId))) await deps.secondaryStorage.delete(key);
}

export type RemoveTrust = (userId: string) => Promise<void>;

/** The Redis keys of the copies, which the caller has to delete as well. */
export type CopyKeys = string[];

export async function endVerifications(
  db: Pick<Prisma.TransactionClient, 'verification'>,
  userId: string,
  prefixes: string[],
): Promise<CopyKeys> {
  const OR = prefixes.map((prefix) => ({ identifier: { startsWith: prefix } }));
  const where = { value: userId, OR };
  const found = await db.verification.findMany({ where, select: { identifier: true } });
  await db.verification.deleteMany({ where });
  return found.map(({ identifier }) => verificationKey(identifier));
}
