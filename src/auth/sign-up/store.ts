// The claims of addresses in PostgreSQL: they last as long as an account may stay unconfirmed. And
// what ends with its confirmation.
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Database } from '../../platform/postgres.ts';
import type { Claim } from './rules.ts';

type Transaction = Prisma.TransactionClient;

/** What a sign-up says; the address is lower-cased. */
export type NewClaim = Omit<Claim, 'id'> & { email: string };

/** Passwords of one address. What is forgotten beyond it can't be confirmed; more than one remain. */
const MAX_CLAIMS = 20;

/**
 * Notes a claim, and makes the account where the address has none. An address that has one is written
 * as much and as often, confirmed or not, so that the time it takes doesn't tell.
 * @returns the claim's id
 */
export async function addClaim(db: Database, claim: NewClaim): Promise<string> {
  return db.$transaction(async (tx) => {
    const userId = await touchUser(tx, claim);
    // The first password alone, so that what a reset has put there stays.
    await tx.$executeRaw`
      INSERT INTO account (account_id, provider_id, user_id, password)
      SELECT id, 'credential', id, ${claim.password} FROM "user"
      WHERE id = ${userId}::uuid AND NOT email_verified
      ON CONFLICT (provider_id, account_id) DO NOTHING`;
    const [row] = await tx.$queryRaw<{ id: string }[]>`
      INSERT INTO sign_up (user_id, name, image, password, browser_hash)
      VALUES (${userId}::uuid, ${claim.name}, ${claim.image}, ${claim.password}, ${claim.browserHash})
      ON CONFLICT (user_id, password) DO UPDATE
      SET name = excluded.name, image = excluded.image, browser_hash = excluded.browser_hash,
          created_at = now()
      RETURNING id`;
    await tx.$executeRaw`
      DELETE FROM sign_up WHERE user_id = ${userId}::uuid AND id NOT IN (
        SELECT id FROM sign_up WHERE user_id = ${userId}::uuid
        ORDER BY created_at DESC, id LIMIT ${MAX_CLAIMS}
      )`;
    return (row as { id: string }).id;
  });
}

/**
 * Locks the user's row until the claim is there, or a confirmation at the same moment would miss it.
 * Who is not confirmed yet begins anew: their link works for a day, so they stay that long.
 */
async function touchUser(tx: Transaction, { email, name, image }: NewClaim): Promise<string> {
  const [user] = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO "user" (email, name, image) VALUES (${email}, ${name}, ${image})
    ON CONFLICT (email) DO UPDATE
    SET created_at = CASE WHEN "user".email_verified THEN "user".created_at ELSE now() END
    RETURNING id`;
  return (user as { id: string }).id;
}

/** @returns the claims of a user, oldest first */
export function listClaims(tx: Transaction, userId: string): Promise<Claim[]> {
  return tx.signUp.findMany({
    where: { userId },
    orderBy: [{ createdAt: 'asc' }, { id: 'desc' }],
    select: { id: true, name: true, image: true, password: true, browserHash: true },
  });
}

interface LockedUser {
  id: string;
  email: string;
  isVerified: boolean;
}

/** Locks a user's row until the end of the transaction. */
export async function lockUser(
  tx: Transaction,
  by: { email: string } | { id: string },
): Promise<LockedUser | undefined> {
  const [user] =
    'email' in by
      ? await tx.$queryRaw<LockedUser[]>`
          SELECT id, email, email_verified AS "isVerified" FROM "user"
          WHERE email = ${by.email} FOR UPDATE`
      : await tx.$queryRaw<LockedUser[]>`
          SELECT id, email, email_verified AS "isVerified" FROM "user"
          WHERE id = ${by.id}::uuid FOR UPDATE`;
  return user;
}

/** Keys, of better-auth in Redis, of copies that have to go once the transaction stands. */
export type Copies = string[];

/**
 * Ends whatever stood under the address.
 * @param profile what the account is called from now on; undefined: as it is
 */
export async function verify(
  tx: Transaction,
  userId: string,
  profile: { name: string; image: string | null } | undefined,
): Promise<Copies> {
  await tx.user.update({ where: { id: userId }, data: { ...profile, emailVerified: true } });
  await tx.signUp.deleteMany({ where: { userId } });
  return [...(await endSessions(tx, userId)), ...(await endLinks(tx, userId))];
}

export async function endSessions(tx: Transaction, userId: string): Promise<Copies> {
  const sessions = await tx.session.findMany({ where: { userId }, select: { token: true } });
  await tx.session.deleteMany({ where: { userId } });
  return sessions.map(({ token }) => token);
}

/** Whatever password there was is no more. */
export async function setPassword(
  tx: Transaction,
  userId: string,
  password: string | null,
): Promise<void> {
  const own = { providerId: 'credential', accountId: userId };
  await tx.account.upsert({
    where: { providerId_accountId: own },
    create: { ...own, userId, password },
    update: { password },
  });
}

/** What begins the identifier of a link to a new password, as better-auth makes it. */
const RESET = 'reset-password:';

/** @returns for whom a new password can be chosen by this link, or null once it has ended */
export async function findResetLink(
  db: Pick<Transaction, 'verification'>,
  token: string,
): Promise<{ userId: string } | null> {
  const where = { identifier: `${RESET}${token}`, expiresAt: { gt: new Date() } };
  const link = await db.verification.findFirst({ where, select: { value: true } });
  return link && { userId: link.value };
}

/** The links to a new password; those that confirm an address end with its confirmation. */
export async function endLinks(tx: Transaction, userId: string): Promise<Copies> {
  const where = { value: userId, identifier: { startsWith: RESET } };
  const links = await tx.verification.findMany({ where, select: { identifier: true } });
  await tx.verification.deleteMany({ where });
  return links.map(({ identifier }) => `verification:${identifier}`);
}
