// Reads from PostgreSQL what is stored of an account, apart from lists, games and learned words. Secrets are never
// selected, since the export's schema names the columns. test/accounts/export-columns.test.ts has for each column that is
// left out the reason. [contract 22]
import type { z } from 'zod';
import { TRUSTED_DEVICE_PREFIX } from '../../auth/plugins/better-auth-names.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { type Database, inPages } from '../../platform/postgres/postgres.ts';
import { ExportedAccount, ExportedUser } from '../schema.ts';

/** The number of rows that one statement reads. */
const PAGE = 500;

const { passkeys, signInMethods, trustedDevices } = ExportedAccount.shape;

/** @returns Prisma's selection of the columns that have the names of a schema's fields */
function columnsOf<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, true])) as { [Name in keyof Shape]: true };
}

/** @returns the user's own row with the ways to sign in, which are few; null if the account was deleted */
export async function findAccount(db: Database, userId: string) {
  const user = await db.user.findUnique({
    where: { id: userId },
    select: {
      ...columnsOf(ExportedUser),
      isAnonymous: true,
      twoFactorEnabled: true,
      accounts: { select: columnsOf(signInMethods.element) },
      passkeys: { select: columnsOf(passkeys.element) },
    },
  });
  if (!user) return null;
  const { isAnonymous, twoFactorEnabled, accounts, ...own } = user;
  const flags = { isGuest: isAnonymous ?? false, twoFactorEnabled: twoFactorEnabled ?? false };
  return { userId, ...own, ...flags, signInMethods: accounts };
}

/** A row with an id of its own, in whose order rows are read. */
type Row = { id: string };

const pageOf = <Where extends object>(where: Where, after: Row | undefined) =>
  ({ where: { ...where, ...(after && { id: { gt: after.id } }) }, orderBy: { id: 'asc' }, take: PAGE }) as const;

/** @param sessionId the session that is marked as the current one */
export async function* readSessions(db: Database, userId: string, sessionId: string) {
  const select = { id: true, ipAddress: true, userAgent: true, createdAt: true, updatedAt: true, expiresAt: true };
  const pages = inPages(PAGE, (after?: Row) => db.session.findMany({ ...pageOf({ userId }, after), select }));
  for await (const page of pages) yield page.map((session) => ({ ...session, isCurrent: session.id === sessionId }));
}

export function readTrustedDevices(db: Database, userId: string) {
  const where = { value: userId, identifier: { startsWith: TRUSTED_DEVICE_PREFIX } };
  const select = columnsOf(trustedDevices.element);
  return inPages(PAGE, (after?: Row) => db.verification.findMany({ ...pageOf(where, after), select }));
}

/** Reads the guests whose data the account has got; the worker removes these rows after a week. */
export function readFormerGuests(db: Database, userId: string) {
  return inPages(PAGE, (after?: { guestId: string }) =>
    db.guestHandOver.findMany({
      where: { accountId: userId, ...(after && { guestId: { gt: after.guestId } }) },
      orderBy: { guestId: 'asc' },
      take: PAGE,
      select: { guestId: true, createdAt: true },
    }),
  );
}

export function readLobbies(db: Database, userId: string) {
  return inPages(PAGE, (after?: { lobbyId: string }) => {
    const later = after ? Prisma.sql`AND lobby_id > ${after.lobbyId}::uuid` : Prisma.empty;
    return db.$queryRaw<{ lobbyId: string }[]>`
      SELECT lobby_id AS "lobbyId", code, status::text, settings, host_id = user_id AS "isHost",
             presenter_id IS NOT DISTINCT FROM user_id AS "isPresenter", name, game_id AS "gameId",
             created_at AS "createdAt"
        FROM lobby_player JOIN lobby ON id = lobby_id
       WHERE user_id = ${userId}::uuid ${later}
       ORDER BY lobby_id LIMIT ${PAGE}`;
  });
}

/** The statement names `kicked_ids <> '{}'` for an index that has only lobbies from which somebody was removed. */
export function readRemovals(db: Database, userId: string) {
  return inPages(PAGE, (after?: { lobbyId: string }) => {
    const later = after ? Prisma.sql`AND id > ${after.lobbyId}::uuid` : Prisma.empty;
    return db.$queryRaw<{ lobbyId: string }[]>`
      SELECT id AS "lobbyId", code FROM lobby
       WHERE kicked_ids <> '{}' AND kicked_ids @> ARRAY[${userId}::uuid] ${later}
       ORDER BY id LIMIT ${PAGE}`;
  });
}

export function readReviewCounts(db: Database, userId: string) {
  return inPages(PAGE, (after?: { quarter: Date }) =>
    db.reviewCount.findMany({
      where: { userId, ...(after && { quarter: { gt: after.quarter } }) },
      orderBy: { quarter: 'asc' },
      take: PAGE,
      select: { quarter: true, reviews: true },
    }),
  );
}
