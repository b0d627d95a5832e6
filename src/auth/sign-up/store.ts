// The SQL of claims, which last as long as an account may stay unconfirmed, and of everything that a confirmation
// removes.
import { BUDGETS } from '../../budgets.ts';
import { Prisma, type SignUp } from '../../generated/prisma/client.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { type AccountStores, endSessions, endVerifications } from '../device-trust.ts';
import { RESET_PREFIX } from '../plugins/better-auth-names.ts';

type Transaction = Prisma.TransactionClient;
/** The stores within a transaction. */
export type OpenStores = AccountStores<Transaction>;
export type Claim = Omit<SignUp, 'userId' | 'createdAt'>;
/** The address is in lower case. */
type NewClaim = Omit<Claim, 'id'> & { email: string };

/**
 * Stores a claim, and creates the account if the address has none. The number of writes is the same in every case, so
 * that the duration does not reveal whether there was one. @returns the claim's id
 */
export async function addClaim(db: Database, claim: NewClaim): Promise<string> {
  return db.$transaction(async (tx) => {
    const userId = await touchUser(tx, claim);
    // Only the first password is stored here, so that the one of a reset stays.
    await tx.$executeRaw`
      INSERT INTO account (account_id, provider_id, user_id, password)
      SELECT id, 'credential', id, ${claim.password} FROM "user"
      WHERE id = ${userId}::uuid AND NOT email_verified
      ON CONFLICT (provider_id, account_id) DO NOTHING`;
    const [row] = await tx.$queryRaw<{ id: string }[]>`
      INSERT INTO sign_up (user_id, name, image, password, browser_hash, language)
      VALUES (${userId}::uuid, ${claim.name}, ${claim.image}, ${claim.password}, ${claim.browserHash}, ${claim.language})
      ON CONFLICT (user_id, password) DO UPDATE
      SET name = excluded.name, image = excluded.image, browser_hash = excluded.browser_hash,
          language = excluded.language, created_at = now()
      RETURNING id`;
    await tx.$executeRaw`
      DELETE FROM sign_up WHERE user_id = ${userId}::uuid AND id NOT IN (
        SELECT id FROM sign_up WHERE user_id = ${userId}::uuid
        ORDER BY created_at DESC, id LIMIT ${BUDGETS.signUps.max}
      )`;
    return (row as { id: string }).id;
  });
}

/**
 * Locks the user's row until the claim is stored, so that a concurrent confirmation does not miss it. It also renews
 * the age of an unconfirmed account, which has to stay as long as the link of the new claim works.
 */
async function touchUser(tx: Transaction, { email, name, image, language }: NewClaim): Promise<string> {
  const [user] = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO "user" (email, name, image, language) VALUES (${email}, ${name}, ${image}, ${language})
    ON CONFLICT (email) DO UPDATE
    SET created_at = CASE WHEN "user".email_verified THEN "user".created_at ELSE now() END
    RETURNING id`;
  return (user as { id: string }).id;
}

export async function lockUser(tx: Transaction, by: { email: string } | { id: string }) {
  const isMeant = 'email' in by ? Prisma.sql`email = ${by.email}` : Prisma.sql`id = ${by.id}::uuid`;
  const [user] = await tx.$queryRaw<{ id: string; email: string; isVerified: boolean }[]>`
    SELECT id, email, email_verified AS "isVerified" FROM "user" WHERE ${isMeant} FOR UPDATE`;
  return user;
}

/**
 * Confirms the address, and removes everything that was stored under it.
 * @param profile the account's new profile; undefined keeps the present one
 */
export async function verify(
  stores: OpenStores,
  userId: string,
  profile: { name: string; image: string | null; language?: string | null } | undefined,
): Promise<void> {
  await stores.db.user.update({ where: { id: userId }, data: { ...profile, emailVerified: true } });
  await stores.db.signUp.deleteMany({ where: { userId } });
  await endAccess(stores, userId);
}

/** Ends a user's sessions and reset links. Confirmation links end by the confirmation itself. */
export async function endAccess(stores: OpenStores, userId: string): Promise<void> {
  await endSessions(stores, { userId });
  await endVerifications(stores, userId, [RESET_PREFIX]);
}

export async function setPassword(tx: Transaction, userId: string, password: string): Promise<void> {
  const own = { providerId: 'credential', accountId: userId };
  const where = { providerId_accountId: own };
  await tx.account.upsert({ where, create: { ...own, userId, password }, update: { password } });
}

/** @returns the id of the user whose password this link can set; undefined if it has expired or was used */
export async function ownerOfReset(db: Pick<Transaction, 'verification'>, token: string): Promise<string | undefined> {
  const where = { identifier: `${RESET_PREFIX}${token}`, expiresAt: { gt: new Date() } };
  return (await db.verification.findFirst({ where, select: { value: true } }))?.value;
}
