// Confirms that an address belongs to somebody: by a link in an email, a password reset, or a provider that has
// verified it. The same transaction removes everything that others have left under the address: passwords, sessions
// and links. It locks the user's row first, as a sign-up does, so that none is added meanwhile. [contract 17]
import { type AccountStores, forgetDevices } from '../device-trust.ts';
import { noteOutage } from '../store-failures.ts';
import type { Link } from './links.ts';
import * as store from './store.ts';

/** `unanswered` is an answer that matches no sign-up; after `ended`, another confirmation was first, or no account is left. */
type LinkOutcome = 'confirmed' | 'unanswered' | 'ended';

/** Confirms the address of a link. A repeated answer to the same link gets the same outcome and changes nothing. */
export async function confirmByLink(deps: AccountStores, link: Link, answer: Answer): Promise<LinkOutcome> {
  return inTransaction(deps, async (stores) => {
    const { db } = stores;
    const { userId, signUpId, hash, expiresAt } = link;
    const user = await store.lockUser(db, { id: userId });
    if (!user) return 'ended';
    if (user.isVerified) return answerAgain(stores, link, answer);

    const claims = await db.signUp.findMany({ where: { userId }, orderBy: [{ createdAt: 'asc' }, { id: 'desc' }] });
    const claim = claimOf(claims, signUpId, answer);
    const password = answer.kind === 'choice' ? answer.hash : claim?.password;
    if (password !== undefined) {
      await db.account.deleteMany({ where: { userId } });
      await store.setPassword(db, userId, password);
    } else if (!(await isProviders(stores, link, answer))) return 'unanswered';
    // The link is remembered, since people open links twice.
    await db.verification.create({ data: { identifier: `${OPENED}${hash}`, value: 'confirmed', expiresAt } });
    await store.verify(stores, userId, profileFor(claim, answer));
    return 'confirmed';
  });
}

/** Sets a password, confirms the address, and ends all sessions. @returns the user, or null if the link has ended */
export async function confirmByReset(deps: AccountStores, token: string, passwordHash: string) {
  return inTransaction(deps, async (stores) => {
    const { db } = stores;
    const owner = await store.ownerOfReset(db, token);
    const user = owner && (await store.lockUser(db, { id: owner }));
    // The row lock lets one of several concurrent requests use the link.
    if (!user || !(await store.ownerOfReset(db, token))) return null;
    const userId = user.id;
    await store.setPassword(db, userId, passwordHash);
    await forgetDevices(stores, userId);
    if (user.isVerified) await store.endAccess(stores, userId);
    else {
      await db.account.deleteMany({ where: { userId, providerId: { not: 'credential' } } });
      await store.verify(stores, userId, newProfile());
    }
    return user;
  });
}

/**
 * Confirms the address, and links the provider to the account that has it, so that the sign-in enters that account.
 * better-auth's own implicit links are off, since they treat all providers alike.
 * @param own the provider, and the person's id there
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
    const user = await store.lockUser(db, { email });
    if (!user || (user.isVerified && !entersAccounts)) return;
    const { id: userId, isVerified } = user;
    if (!isVerified) {
      await db.account.deleteMany({ where: { userId, NOT: own } });
      await store.verify(stores, userId, profile);
    }
    // An account of the provider that is linked already, to this user or to another one, stays so.
    await db.account.createMany({ data: { ...own, userId }, skipDuplicates: true });
  });
}

function inTransaction<T>({ db, secondaryStorage }: AccountStores, work: (stores: store.OpenStores) => Promise<T>) {
  return noteOutage(() => db.$transaction((tx) => work({ db: tx, secondaryStorage })));
}

/** @returns the account's new profile, or undefined if it keeps the one from a provider */
function profileFor(claim: store.Claim | undefined, answer: Answer) {
  if (answer.kind === 'choice') return newProfile(answer.name);
  return claim && { name: claim.name, image: claim.image, language: claim.language };
}

/** @returns whether no password was given, and the browser is the one that came from the provider */
async function isProviders({ db }: store.OpenStores, { askedBy, userId }: Link, answer: Answer): Promise<boolean> {
  if (answer.kind !== 'browser' || answer.hash === null || answer.hash !== askedBy) return false;
  return (await db.account.count({ where: { userId, providerId: 'credential' } })) === 0;
}

const OPENED = 'opened-link:';
/** Answers a link that was used before. It compares the password, and counts a wrong one. */
async function answerAgain({ db }: store.OpenStores, { hash, userId }: Link, answer: Answer): Promise<LinkOutcome> {
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
export function claimOf(claims: store.Claim[], signUpId: string | undefined, answer: Answer) {
  if (answer.kind === 'choice') return undefined;
  return claims.findLast(
    ({ id, password, browserHash }) =>
      (signUpId === undefined || id === signUpId) &&
      (answer.kind === 'browser' ? browserHash === answer.hash : answer.hashes.includes(password)),
  );
}

/** @returns the profile of an owner who has chosen a password by a link; a claim may be a stranger's */
const newProfile = (name = 'Player') => ({ name, image: null, language: null });
