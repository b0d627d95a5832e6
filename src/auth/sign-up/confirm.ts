// An address turns out to be somebody's: by a link in an email, by a password reset, or by Google's or
// GitHub's word. What others have left under it goes in the same moment: their passwords, sessions and
// links. The user's row is locked first, here as in a sign-up, so that none slips in. [contract 17]
import type { BetterAuthOptions } from 'better-auth';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Database } from '../../platform/postgres.ts';
import { noteOutage } from '../outages.ts';
import { type Claim, judge, nameOfAll } from './rules.ts';
import {
  type Copies,
  endLinks,
  endSessions,
  findResetLink,
  listClaims,
  lockUser,
  setPassword,
  verify,
} from './store.ts';

type Transaction = Prisma.TransactionClient;
type SecondaryStorage = NonNullable<BetterAuthOptions['secondaryStorage']>;

export interface ConfirmDeps {
  db: Database;
  /** Of better-auth, which keeps copies of sessions and links there. */
  secondaryStorage: Pick<SecondaryStorage, 'delete'>;
}

/** A link that was opened and is genuine. */
export interface GenuineLink {
  email: string;
  /** Whose account it was sent for; undefined for links from before they said it. */
  userId?: string | undefined;
  signUpId?: string | undefined;
  /** What it is known by. */
  hash: string;
  expiresAt: Date;
  browserHash: string | null;
}

export type LinkOutcome =
  | { kind: 'confirmed' }
  /** A password has to be chosen; as long as none is, the same link says so again. */
  | { kind: 'choose'; userId: string }
  /** Another link, a reset or a provider came first, or the account is gone. */
  | { kind: 'ended' };

export async function confirmByLink(deps: ConfirmDeps, link: GenuineLink): Promise<LinkOutcome> {
  return inTransaction(deps, async (tx, drop) => {
    const user = await lockUser(tx, { email: link.email });
    if (!user || (link.userId ?? user.id) !== user.id) return { kind: 'ended' };
    if (user.isVerified) return openAgain(tx, link, user.id);

    const claims = await listClaims(tx, user.id);
    const accounts = await tx.account.findMany({ where: { userId: user.id } });
    const credential = accounts.find(({ providerId }) => providerId === 'credential');
    const verdict = judge(
      {
        claims,
        password: credential?.password ?? null,
        providerCount: accounts.length - (credential ? 1 : 0),
      },
      link,
    );
    if (verdict.kind !== 'as-it-is') await tx.account.deleteMany({ where: { userId: user.id } });
    if (verdict.kind === 'claim') await setPassword(tx, user.id, verdict.claim.password);
    const profile = verdict.kind === 'claim' ? profileOf(verdict.claim) : nameOfAll(claims);
    await noteOpened(tx, link, verdict.kind === 'choose');
    await drop(await verify(tx, user.id, profile));
    return verdict.kind === 'choose' ? { kind: 'choose', userId: user.id } : { kind: 'confirmed' };
  });
}

/**
 * A password that is chosen by a link, which has come by email as well. All sessions end.
 * @returns whose it is, or null where the link has come to its end meanwhile
 */
export async function confirmByReset(
  deps: ConfirmDeps,
  token: string,
  passwordHash: string,
): Promise<{ id: string; email: string } | null> {
  return inTransaction(deps, async (tx, drop) => {
    const link = await findResetLink(tx, token);
    const user = link && (await lockUser(tx, { id: link.userId }));
    // Of any number at once, one gets past the lock while there is a link.
    if (!user || !(await findResetLink(tx, token))) return null;
    await setPassword(tx, user.id, passwordHash);
    if (user.isVerified) {
      await drop([...(await endSessions(tx, user.id)), ...(await endLinks(tx, user.id))]);
    } else {
      const others = { userId: user.id, providerId: { not: 'credential' } };
      await tx.account.deleteMany({ where: others });
      await drop(await verify(tx, user.id, nameOfAll(await listClaims(tx, user.id))));
    }
    return user;
  });
}

/** Somebody whom a provider knows, at an address that it has verified. */
export interface KnownPerson {
  email: string;
  name: string;
  image: string | null;
  providerId: string;
  accountId: string;
}

export async function confirmByProvider(deps: ConfirmDeps, person: KnownPerson): Promise<void> {
  const { name, image, providerId, accountId } = person;
  await inTransaction(deps, async (tx, drop) => {
    const user = await lockUser(tx, { email: person.email });
    if (!user || user.isVerified) return;
    const own = { providerId, accountId };
    await tx.account.deleteMany({ where: { userId: user.id, NOT: own } });
    await drop(await verify(tx, user.id, { name, image }));
  });
}

async function inTransaction<T>(
  { db, secondaryStorage }: ConfirmDeps,
  work: (tx: Transaction, drop: (copies: Copies) => Promise<void>) => Promise<T>,
): Promise<T> {
  // Before the transaction stands, or a crash would leave them; without it they are made anew.
  const drop = async (copies: Copies) => {
    for (const key of copies) await secondaryStorage.delete(key);
  };
  return noteOutage(() => db.$transaction((tx) => work(tx, drop)));
}

function profileOf({ name, image }: Claim) {
  return { name, image };
}

const OPENED = 'opened-link:';

/** Remembers the link, since mail programs open it before people do, and people do twice. */
async function noteOpened(
  tx: Transaction,
  { hash, expiresAt }: GenuineLink,
  mustChoose: boolean,
): Promise<void> {
  const value = mustChoose ? 'choose' : 'confirmed';
  await tx.verification.create({ data: { identifier: `${OPENED}${hash}`, value, expiresAt } });
}

/** @returns what the link led to, if it is the one that confirmed the address */
async function openAgain(
  tx: Transaction,
  { hash }: GenuineLink,
  userId: string,
): Promise<LinkOutcome> {
  const opened = await tx.verification.findFirst({ where: { identifier: `${OPENED}${hash}` } });
  if (!opened) return { kind: 'ended' };
  const isChosen = opened.value !== 'choose' || (await tx.account.count({ where: { userId } })) > 0;
  return isChosen ? { kind: 'confirmed' } : { kind: 'choose', userId };
}
