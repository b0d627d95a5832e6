// Confirms that an address belongs to somebody: by a link in an email, a password reset, or a provider that has
// verified it. The same transaction removes everything that others have left under the address: passwords, sessions
// and links. It locks the user's row first, as a sign-up does, so that none is added meanwhile. [contract 17]
import type { Prisma } from '../../generated/prisma/client.ts';
import { type AccountStores, type CopyKeys, endTrust } from '../device-trust.ts';
import { noteOutage } from '../store-failures.ts';
import type { Link } from './links.ts';
import * as store from './store.ts';

type Transaction = Prisma.TransactionClient;

export type LinkOutcome =
  | 'confirmed'
  /** Nothing has changed: the answer matches no sign-up. */
  | 'unanswered'
  /** Nothing has changed: another link, a reset or a provider was first, or the account does not exist any more. */
  | 'ended';

/**
 * Confirms the address of a link by the answer: the password of a sign-up, or a new one. A repeated answer to the same
 * link gets the same outcome and changes nothing.
 */
export async function confirmByLink(deps: AccountStores, link: Link, answer: Answer): Promise<LinkOutcome> {
  return inTransaction(deps, async (tx, drop) => {
    const user = await store.lockUser(tx, { id: link.userId });
    if (!user) return 'ended';
    if (user.isVerified) return answerAgain(tx, link, answer);

    const claims = await tx.signUp.findMany({
      where: { userId: user.id },
      orderBy: [{ createdAt: 'asc' }, { id: 'desc' }],
    });
    const claim = claimOf(claims, link.signUpId, answer);
    const password = answer.kind === 'choice' ? answer.hash : claim?.password;
    if (password !== undefined) {
      await tx.account.deleteMany({ where: { userId: user.id } });
      await store.setPassword(tx, user.id, password);
    } else if (!(await isProviders(tx, link, answer))) return 'unanswered';
    // The link is remembered, since people open links twice.
    const identifier = `${OPENED}${link.hash}`;
    await tx.verification.create({ data: { identifier, value: 'confirmed', expiresAt: link.expiresAt } });
    await drop(await store.verify(tx, user.id, profileFor(claim, answer)));
    return 'confirmed';
  });
}

/**
 * Sets a password that was chosen by a link, confirms the address, and ends all sessions.
 * @returns the user, or null if the link has expired or was used meanwhile
 */
export async function confirmByReset(
  deps: AccountStores,
  token: string,
  passwordHash: string,
): Promise<{ id: string; email: string } | null> {
  return inTransaction(deps, async (tx, drop) => {
    const link = await store.findResetLink(tx, token);
    const user = link && (await store.lockUser(tx, { id: link.userId }));
    // The row lock lets one of several concurrent requests use the link.
    if (!user || !(await store.findResetLink(tx, token))) return null;
    await store.setPassword(tx, user.id, passwordHash);
    await drop(await endTrust(tx, user.id));
    if (user.isVerified) {
      await drop([...(await store.endSessions(tx, user.id)), ...(await store.endLinks(tx, user.id))]);
    } else {
      const others = { userId: user.id, providerId: { not: 'credential' } };
      await tx.account.deleteMany({ where: others });
      await drop(await store.verify(tx, user.id, newProfile()));
    }
    return user;
  });
}

interface KnownPerson {
  email: string;
  name: string;
  image: string | null;
  providerId: string;
  accountId: string;
  /** Whether the person may enter a confirmed account under this address that is not linked to the provider. */
  entersAccounts: boolean;
}

/**
 * Confirms the address, and links the provider to the account that has it, so that the sign-in enters that account.
 * better-auth's own implicit links are off, since they treat all providers alike.
 */
export async function confirmByProvider(deps: AccountStores, person: KnownPerson): Promise<void> {
  const { name, image, providerId, accountId, entersAccounts } = person;
  await inTransaction(deps, async (tx, drop) => {
    const user = await store.lockUser(tx, { email: person.email });
    if (!user || (user.isVerified && !entersAccounts)) return;
    const own = { providerId, accountId };
    if (!user.isVerified) {
      await tx.account.deleteMany({ where: { userId: user.id, NOT: own } });
      await drop(await store.verify(tx, user.id, { name, image }));
    }
    await store.linkAccount(tx, user.id, own);
  });
}

async function inTransaction<T>(
  { db, secondaryStorage }: AccountStores,
  work: (tx: Transaction, drop: (copies: CopyKeys) => Promise<void>) => Promise<T>,
): Promise<T> {
  // The copies go before the commit, so that a crash leaves none. After a rollback they are made again.
  const drop = async (copies: CopyKeys) => {
    for (const key of copies) await secondaryStorage.delete(key);
  };
  return noteOutage(() => db.$transaction((tx) => work(tx, drop)));
}

/** @returns the account's new profile, or undefined if it keeps the one from a provider */
function profileFor(claim: Claim | undefined, answer: Answer) {
  if (answer.kind === 'choice') return newProfile(answer.name);
  return claim && { name: claim.name, image: claim.image, language: claim.language };
}

/** @returns whether no password was given, and the browser is the one that came from the provider */
async function isProviders(tx: Transaction, link: Link, answer: Answer): Promise<boolean> {
  if (answer.kind !== 'browser' || answer.hash === null || answer.hash !== link.askedBy) return false;
  const { userId } = link;
  return (await tx.account.count({ where: { userId, providerId: 'credential' } })) === 0;
}

const OPENED = 'opened-link:';

/** Answers a link that was used before. It compares the password, and counts a wrong one. */
async function answerAgain(tx: Transaction, link: Link, answer: Answer): Promise<LinkOutcome> {
  const { hash, userId } = link;
  const opened = await tx.verification.findFirst({ where: { identifier: `${OPENED}${hash}` } });
  if (!opened || answer.kind === 'choice') return 'ended';
  if (answer.kind === 'browser') return 'confirmed';
  const own = { userId, providerId: 'credential', password: { in: [...answer.hashes] } };
  return (await tx.account.count({ where: own })) > 0 ? 'confirmed' : 'unanswered';
}

export interface Claim {
  id: string;
  name: string;
  image: string | null;
  /** The password's hash; equal for equal passwords. */
  password: string;
  browserHash: string;
  /** The language of the page on which it was made, for mails. */
  language: string | null;
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
export function claimOf(claims: Claim[], signUpId: string | undefined, answer: Answer): Claim | undefined {
  if (answer.kind === 'choice') return undefined;
  return claims.findLast(
    ({ id, password, browserHash }) =>
      (signUpId === undefined || id === signUpId) &&
      (answer.kind === 'browser' ? browserHash === answer.hash : answer.hashes.includes(password)),
  );
}

/**
 * @returns the profile of an owner who has chosen a password by a link. Nothing of it comes from a claim, which may be
 * a stranger's
 */
function newProfile(name = 'Player'): { name: string; image: null; language: null } {
  return { name, image: null, language: null };
}
