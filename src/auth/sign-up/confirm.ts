// Keeps sign-ups as claims of an address, and confirms that it belongs to somebody: by a link in an email, a password
// reset, or a provider that has verified it. The same transaction removes everything that others have left under the
// address: passwords, sessions and links. It locks the user's row first, as a sign-up does, so that none is added
// meanwhile. [contract 17]
import { BUDGETS } from '../../budgets.ts';
import { Prisma, type SignUp } from '../../generated/prisma/client.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { type AccountStores, endVerifications, forgetDevices } from '../device-trust.ts';
import { RESET_PREFIX } from '../plugins/better-auth-names.ts';
import { noteOutage } from '../store-failures.ts';
import type { Link } from './links.ts';

type Transaction = Prisma.TransactionClient;
/** The stores within a transaction. */
type OpenStores = AccountStores<Transaction>;
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
 * Locks the user's row until the claim is stored, so that a concurrent confirmation does not miss it, and renews the
 * age of an unconfirmed account, which has to stay as long as the claim's link works.
 */
async function touchUser(tx: Transaction, { email, name, image, language }: NewClaim): Promise<string> {
  const [user] = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO "user" (email, name, image, language) VALUES (${email}, ${name}, ${image}, ${language})
    ON CONFLICT (email) DO UPDATE
    SET created_at = CASE WHEN "user".email_verified THEN "user".created_at ELSE now() END
    RETURNING id`;
  return (user as { id: string }).id;
}

async function lockUser(tx: Transaction, by: { email: string } | { id: string }) {
  const isMeant = 'email' in by ? Prisma.sql`email = ${by.email}` : Prisma.sql`id = ${by.id}::uuid`;
  const [user] = await tx.$queryRaw<{ id: string; email: string; isVerified: boolean }[]>`
    SELECT id, email, email_verified AS "isVerified" FROM "user" WHERE ${isMeant} FOR UPDATE`;
  return user;
}

/** `unanswered`: the answer matches no sign-up. `ended`: another confirmation was first, or the account is gone. */
type LinkOutcome = 'confirmed' | 'unanswered' | 'ended';

/** Confirms the address of a link. A repeated answer to the same link gets the same outcome and changes nothing. */
export async function confirmByLink(deps: AccountStores, link: Link, answer: Answer): Promise<LinkOutcome> {
  return inTransaction(deps, async (stores) => {
    const { db } = stores;
    const { userId, signUpId, hash, expiresAt } = link;
    const user = await lockUser(db, { id: userId });
    if (!user) return 'ended';
    if (user.isVerified) return answerAgain(stores, link, answer);

    const claims = await db.signUp.findMany({ where: { userId }, orderBy: [{ createdAt: 'asc' }, { id: 'desc' }] });
    const claim = claimOf(claims, signUpId, answer);
    const password = answer.kind === 'choice' ? answer.hash : claim?.password;
    if (password !== undefined) {
      await db.account.deleteMany({ where: { userId } });
      await setPassword(db, userId, password);
    } else if (!(await isProviders(stores, link, answer))) return 'unanswered';
    // The link is remembered, since people open links twice.
    await db.verification.create({ data: { identifier: `${OPENED}${hash}`, value: 'confirmed', expiresAt } });
    // Without a claim, the profile from a provider stays.
    const claimed = claim && { name: claim.name, image: claim.image, language: claim.language };
    await verify(stores, userId, answer.kind === 'choice' ? newProfile(answer.name) : claimed);
    return 'confirmed';
  });
}

/** Sets a password, confirms the address, and ends all sessions. @returns the user, or null if the link has ended */
export async function confirmByReset(deps: AccountStores, token: string, passwordHash: string) {
  return inTransaction(deps, async (stores) => {
    const { db } = stores;
    const owner = await ownerOfReset(db, token);
    const user = owner && (await lockUser(db, { id: owner }));
    // The row lock lets one of several concurrent requests use the link.
    if (!user || !(await ownerOfReset(db, token))) return null;
    const userId = user.id;
    await setPassword(db, userId, passwordHash);
    await forgetDevices(stores, userId);
    if (user.isVerified) await endAccess(stores, userId);
    else {
      await db.account.deleteMany({ where: { userId, providerId: { not: 'credential' } } });
      await verify(stores, userId, newProfile());
    }
    return user;
  });
}

/**
 * Confirms the address, and links the provider to the account that has it, so that the sign-in enters that account.
 * better-auth's own implicit links are off, since they treat all providers alike.
 * @param entersAccounts whether the person may enter a confirmed account under the address that is not linked to `own`
 */
export async function confirmByProvider(
  deps: AccountStores,
  { email, ...profile }: { email: string; name: string; image: string | null },
  own: { providerId: string; accountId: string },
  entersAccounts: boolean,
): Promise<void> {
  await inTransaction(deps, async (stores) => {
    const { db } = stores;
    const user = await lockUser(db, { email });
    if (!user || (user.isVerified && !entersAccounts)) return;
    const { id: userId, isVerified } = user;
    if (!isVerified) {
      await db.account.deleteMany({ where: { userId, NOT: own } });
      await verify(stores, userId, profile);
    }
    // An account of the provider that is linked already, to this user or to another one, stays so.
    await db.account.createMany({ data: { ...own, userId }, skipDuplicates: true });
  });
}

function inTransaction<T>({ db, secondaryStorage }: AccountStores, work: (stores: OpenStores) => Promise<T>) {
  return noteOutage(() => db.$transaction((tx) => work({ db: tx, secondaryStorage })));
}

/** @returns whether there is no password, and the browser is the one that came from the provider */
async function isProviders({ db }: OpenStores, { askedBy, userId }: Link, answer: Answer): Promise<boolean> {
  if (answer.kind !== 'browser' || answer.hash === null || answer.hash !== askedBy) return false;
  return (await db.account.count({ where: { userId, providerId: 'credential' } })) === 0;
}

const OPENED = 'opened-link:';
/** Answers a link that was used before. It compares the password, and counts a wrong one. */
async function answerAgain({ db }: OpenStores, { hash, userId }: Link, answer: Answer): Promise<LinkOutcome> {
  const opened = await db.verification.findFirst({ where: { identifier: `${OPENED}${hash}` } });
  if (!opened || answer.kind === 'choice') return 'ended';
  if (answer.kind === 'browser') return 'confirmed';
  const own = { userId, providerId: 'credential', password: { in: [...answer.hashes] } };
  return (await db.account.count({ where: own })) > 0 ? 'confirmed' : 'unanswered';
}

/** An answer to a link: it proves who has signed up, or sets a new password. */
export type Answer =
  /** The hash of the browser's cookie; null without one. */
  | { kind: 'browser'; hash: string | null }
  /** The given password, hashed as claims are, once with each configured secret. */
  | { kind: 'password'; hashes: readonly string[] }
  /** A new password's hash. All passwords and names of claims are dropped then. */
  | { kind: 'choice'; hash: string; name?: string | undefined };

/**
 * @param signUpId the claim that the link is for; undefined means any claim of the address
 * @returns the claim that the answer proves, the newest of several, or undefined
 */
export function claimOf(claims: Claim[], signUpId: string | undefined, answer: Answer) {
  if (answer.kind === 'choice') return undefined;
  return claims.findLast(
    ({ id, password, browserHash }) =>
      (signUpId === undefined || id === signUpId) &&
      (answer.kind === 'browser' ? browserHash === answer.hash : answer.hashes.includes(password)),
  );
}

/** @returns the profile of an owner who has chosen a password by a link; a claim may be a stranger's */
const newProfile = (name = 'Player') => ({ name, image: null, language: null });

/** Confirms the address, and removes everything that was stored under it. Without a profile, the present one stays. */
async function verify(stores: OpenStores, userId: string, profile: Prisma.UserUpdateInput | undefined): Promise<void> {
  await stores.db.user.update({ where: { id: userId }, data: { ...profile, emailVerified: true } });
  await stores.db.signUp.deleteMany({ where: { userId } });
  await endAccess(stores, userId);
}

/** Ends a user's sessions and reset links. Confirmation links end by the confirmation itself. */
async function endAccess(stores: OpenStores, userId: string): Promise<void> {
  const { db, secondaryStorage } = stores;
  const sessions = await db.session.findMany({ where: { userId }, select: { token: true } });
  await db.session.deleteMany({ where: { userId } });
  // After the rows, since a statement that fails rolls the confirmation back, and the sessions go on.
  for (const { token } of sessions) await secondaryStorage.delete(token);
  await endVerifications(stores, userId, [RESET_PREFIX]);
}

async function setPassword(tx: Transaction, userId: string, password: string): Promise<void> {
  const own = { providerId: 'credential', accountId: userId };
  const where = { providerId_accountId: own };
  await tx.account.upsert({ where, create: { ...own, userId, password }, update: { password } });
}

/** @returns the id of the user whose password this link can set; undefined if it has expired or was used */
export async function ownerOfReset(db: Pick<Transaction, 'verification'>, token: string): Promise<string | undefined> {
  const where = { identifier: `${RESET_PREFIX}${token}`, expiresAt: { gt: new Date() } };
  return (await db.verification.findFirst({ where, select: { value: true } }))?.value;
}
