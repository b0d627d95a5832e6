// Removes better-auth's "verifications" of a user: password links, trusted devices, and sign-ins that wait for a
// code. Each has a row in PostgreSQL and a copy in Redis.
import type { Prisma } from '../generated/prisma/client.ts';
import { verificationKey } from './plugins/better-auth-names.ts';

/** The Redis keys of the copies, which the caller has to delete as well. */
export type CopyKeys = string[];

/** @param prefixes the beginnings of the identifiers to remove */
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
