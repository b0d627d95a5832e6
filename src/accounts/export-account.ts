// Exports all that is stored of a user, as one JSON document that is read and sent in parts. No statement holds a
// connection while the client takes what was read, and memory doesn't grow with the account. Secrets are never
// selected; test/accounts/export-columns.test.ts has a reason for each column that is left out. [contract 22]
import type { z } from 'zod';
import { readAttempts, readOwnAssignments } from '../assignments/export-attempts.ts';
import { TRUSTED_DEVICE_PREFIX } from '../auth/plugins/better-auth-names.ts';
import { AppError } from '../errors.ts';
import { readLearnedWords } from '../learning/learned-words.ts';
import { findGame, findGameIds } from '../match/finished-games.ts';
import { jsonOf } from '../match/result-formats.ts';
import { arrayOf, arrayOfTexts, objectOf } from '../platform/json-parts.ts';
import { type Database, inPages, type PostgresPool } from '../platform/postgres/postgres.ts';
import type { Services } from '../services.ts';
import { findLists, findListText } from '../vocabulary/lists/store.ts';
import { ExportedAccount, ExportedUser } from './schema.ts';

/** The number of rows that one statement reads. */
const PAGE = 500;
/** The number of games that are looked up at once; each of them is then read by itself. */
const GAMES_AT_ONCE = 200;

/**
 * @returns the parts of an AccountExport as JSON
 * @throws AppError UNAUTHENTICATED before the first part if the account was deleted meanwhile; an outage at any part
 */
export async function* exportAccount(
  { db, postgres, pools, attempts }: Pick<Services, 'attempts' | 'db' | 'pools' | 'postgres'>,
  { id: userId, sessionId }: { id: string; sessionId: string },
): AsyncGenerator<string> {
  const account = await findAccount(db, userId);
  if (!account) throw new AppError('UNAUTHENTICATED');
  yield* objectOf(
    {},
    {
      account: objectOf(account, {
        trustedDevices: arrayOf(readTrustedDevices(db, userId)),
        formerGuests: arrayOf(readFormerGuests(db, userId)),
        lobbies: arrayOf(readLobbies(db, userId)),
        removedFrom: arrayOf(readRemovals(db, userId)),
        reviewCounts: arrayOf(readReviewCounts(db, userId)),
      }),
      sessions: arrayOf(readSessions(db, userId, sessionId)),
      lists: arrayOfTexts(readLists(postgres, userId)),
      games: arrayOfTexts(readGames(db, userId)),
      learnedWords: arrayOf(readLearnedWords({ db, pools }, userId)),
      assignments: arrayOf(readOwnAssignments(db, userId)),
      attempts: arrayOf(readAttempts({ db, attempts }, userId)),
    },
  );
}

async function* readLists(postgres: PostgresPool, userId: string): AsyncGenerator<readonly string[]> {
  for (const { listId } of await findLists(postgres, userId)) {
    const list = await findListText(postgres, listId, userId);
    if (list !== null) yield [list];
  }
}

/** Each game is as `GET /api/v1/games/:gameId` has it. [contract 13, 19] */
async function* readGames(db: Database, userId: string): AsyncGenerator<AsyncIterable<string>> {
  const pages = inPages(GAMES_AT_ONCE, (after?: { id: string; finishedAt: Date }) => {
    const before = after && ([after.finishedAt.toISOString(), after.id] as [string, string]);
    return findGameIds(db, userId, { limit: GAMES_AT_ONCE, before });
  });
  for await (const games of pages)
    for (const { id } of games) {
      const game = await findGame(db, id, userId);
      if (game) yield jsonOf(game);
    }
}

const { passkeys, signInMethods, trustedDevices } = ExportedAccount.shape;

/** @returns Prisma's selection of the columns that the export's schema names */
function columnsOf<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, true])) as { [Name in keyof Shape]: true };
}

/** @returns the user's own row with the ways to sign in, which are few; null if the account was deleted */
async function findAccount(db: Database, userId: string) {
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

/** No row has this id, and all follow it. */
const LEAST_ID = '00000000-0000-0000-0000-000000000000';

/** @param first what would come before the first row, in whose order rows are read */
const pagesAfter = <Row>(first: Row, read: (after: Row) => Promise<Row[]>) =>
  inPages(PAGE, (after: Row | undefined) => read(after ?? first));

const pageOf = <Where extends object>(where: Where, after: string) =>
  ({ where: { ...where, id: { gt: after } }, orderBy: { id: 'asc' }, take: PAGE }) as const;

/** @param sessionId the session that is marked as the current one */
async function* readSessions(db: Database, userId: string, sessionId: string) {
  const select = { id: true, ipAddress: true, userAgent: true, createdAt: true, updatedAt: true, expiresAt: true };
  const pages = pagesAfter({ id: LEAST_ID }, ({ id }) => db.session.findMany({ ...pageOf({ userId }, id), select }));
  for await (const page of pages) yield page.map((session) => ({ ...session, isCurrent: session.id === sessionId }));
}

function readTrustedDevices(db: Database, userId: string) {
  const where = { value: userId, identifier: { startsWith: TRUSTED_DEVICE_PREFIX } };
  const select = columnsOf(trustedDevices.element);
  return pagesAfter({ id: LEAST_ID }, ({ id }) => db.verification.findMany({ ...pageOf(where, id), select }));
}

/** Reads the guests whose data the account has got; the worker removes these rows after a week. */
function readFormerGuests(db: Database, userId: string) {
  return pagesAfter({ guestId: LEAST_ID }, ({ guestId }) =>
    db.guestHandOver.findMany({
      where: { accountId: userId, guestId: { gt: guestId } },
      orderBy: { guestId: 'asc' },
      take: PAGE,
      select: { guestId: true, createdAt: true },
    }),
  );
}

export function readLobbies(db: Database, userId: string) {
  return pagesAfter(
    { lobbyId: LEAST_ID },
    ({ lobbyId }) => db.$queryRaw<{ lobbyId: string }[]>`
      SELECT lobby_id AS "lobbyId", code, status::text, settings, host_id = user_id AS "isHost",
             presenter_id IS NOT DISTINCT FROM user_id AS "isPresenter", name, game_id AS "gameId",
             created_at AS "createdAt"
        FROM lobby_player JOIN lobby ON id = lobby_id
       WHERE user_id = ${userId}::uuid AND lobby_id > ${lobbyId}::uuid
       ORDER BY lobby_id LIMIT ${PAGE}`,
  );
}

/** The statement names `kicked_ids <> '{}'` for an index that has only lobbies from which somebody was removed. */
export function readRemovals(db: Database, userId: string) {
  return pagesAfter(
    { lobbyId: LEAST_ID },
    ({ lobbyId }) => db.$queryRaw<{ lobbyId: string }[]>`
      SELECT id AS "lobbyId", code FROM lobby
       WHERE kicked_ids <> '{}' AND kicked_ids @> ARRAY[${userId}::uuid] AND id > ${lobbyId}::uuid
       ORDER BY id LIMIT ${PAGE}`,
  );
}

function readReviewCounts(db: Database, userId: string) {
  return pagesAfter({ quarter: new Date(0) }, ({ quarter }) =>
    db.reviewCount.findMany({
      where: { userId, quarter: { gt: quarter } },
      orderBy: { quarter: 'asc' },
      take: PAGE,
      select: { quarter: true, reviews: true },
    }),
  );
}
