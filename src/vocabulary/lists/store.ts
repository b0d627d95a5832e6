// Stores lists in PostgreSQL. A list is one row, so that it is always read and replaced as a whole. Statements with the
// terms of a list go to the pool directly, since Prisma would copy the terms several times in one turn of the event
// loop. [contract 11, 14, 17]
import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { BUDGETS } from '../../budgets.ts';
import { AppError } from '../../errors.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Database, Postgres, PostgresPool } from '../../platform/postgres/postgres.ts';
import type { ListDirection, Supply } from '../rules.ts';
import type { CheckedList } from './check-list.ts';
import { LISTS_ROOM, type ListTerm, type WordList } from './schema.ts';

/** A list in one direction. Each change of the list gives it another version. */
export type ListVersion = ListDirection & { version: number };

export interface PlayableList extends ListVersion {
  name: string;
  /** The languages of prompts and answers, in the direction in which the list is asked. */
  sourceLanguage: string;
  targetLanguage: string;
  /** Absent for the other direction, whose questions are counted when the list is read. */
  supply?: Supply;
}

/** The columns of a `WordList`. */
const WORD_LIST_COLUMNS = `id AS "listId", name, source_language AS "sourceLanguage",
  target_language AS "targetLanguage", shared, term_count AS "termCount",
  to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"`;

/** The columns that a list's body decides, and their values; the terms are their bytes. */
const BODY_COLUMNS = `name, source_language, target_language, shared, term_count, prompt_count, question_count, bytes,
  terms, translation_keys, translation_terms, source_keys, source_terms`;
const BODY_VALUES = `$3, $4, $5, $6, $7, $8, $9, $10,
  convert_from($11, 'UTF8')::jsonb, $12::int[], $13::smallint[], $14::int[], $15::smallint[]`;

const INSERT = `INSERT INTO word_list (id, owner_id, ${BODY_COLUMNS}) VALUES ($1, $2, ${BODY_VALUES})
  RETURNING ${WORD_LIST_COLUMNS}`;
const UPDATE = `UPDATE word_list
    SET (${BODY_COLUMNS}) = ROW(${BODY_VALUES}), version = version + 1, updated_at = clock_timestamp()
  WHERE id = $1 AND owner_id = $2
  RETURNING ${WORD_LIST_COLUMNS}`;

async function write(client: PoolClient, statement: string, listId: string, ownerId: string, list: CheckedList) {
  const { name, sourceLanguage, targetLanguage, shared, supply, index, reverseIndex } = list;
  const counts = [supply.terms, supply.prompts, supply.questions, list.terms.byteLength];
  const indexes = [index.keys, index.terms, reverseIndex.keys, reverseIndex.terms];
  const json = Buffer.from(list.terms.buffer);
  const values = [listId, ownerId, name, sourceLanguage, targetLanguage, shared, ...counts, json, ...indexes];
  const { rows } = await client.query<WordList>(statement, values);
  return rows[0] ?? notThere();
}

const notThere = () => new AppError('LIST_NOT_FOUND');
const tooLarge = () => new AppError('LISTS_TOO_LARGE', `All your lists together may have ${LISTS_ROOM}.`);

/**
 * Inserts a list, unless that would exceed a quota of its owner.
 * @returns the list, or the refusal, which is not thrown, since that would cost the pool its connection
 */
export function insertList(postgres: PostgresPool, ownerId: string, list: CheckedList): Promise<WordList | AppError> {
  return postgres.transaction(async (client) => {
    const room = await lockOwner(client, ownerId);
    if (!room) return new AppError('UNAUTHENTICATED');
    if (room.isInvited) return new AppError('ACCOUNT_NEEDED');
    if (room.lists >= BUDGETS.lists.max)
      return new AppError('TOO_MANY_LISTS', `You have ${BUDGETS.lists.max} lists already.`);
    if (list.terms.byteLength > room.bytes) return tooLarge();
    return write(client, INSERT, randomUUID(), ownerId, list);
  });
}

/** @returns the changed list, or the refusal */
export async function replaceList(
  postgres: PostgresPool,
  listId: string,
  ownerId: string,
  list: CheckedList,
): Promise<WordList | AppError> {
  return postgres.transaction(async (client) => {
    const room = await lockOwner(client, ownerId);
    const find = 'SELECT bytes FROM word_list WHERE id = $1 AND owner_id = $2';
    const [old] = (await client.query<{ bytes: number }>(find, [listId, ownerId])).rows;
    if (!room || !old) return notThere();
    if (list.terms.byteLength > room.bytes + old.bytes) return tooLarge();
    return write(client, UPDATE, listId, ownerId, list);
  });
}

/**
 * Locks the owner's row until the transaction ends, since two concurrent writes could otherwise exceed the quota.
 * @returns whether the owner is a guest who came by a code, the number of the owner's lists, and how many bytes are
 *   left of the quota; null without an owner, or if the owner was a guest and has become an account
 */
async function lockOwner(client: PoolClient, ownerId: string) {
  const owners = await client.query<{ isGuest: boolean; isInvited: boolean }>(
    'SELECT is_anonymous IS TRUE AS "isGuest", invited AS "isInvited" FROM "user" WHERE id = $1 FOR NO KEY UPDATE',
    [ownerId],
  );
  const [owner] = owners.rows;
  if (!owner) return null;
  // A hand-over may have committed while this transaction waited for the lock, so that it is read after it.
  const counts = await client.query<{ lists: number; bytes: number }>(
    `SELECT count(*)::int AS lists, coalesce(sum(bytes), 0)::int AS bytes
       FROM word_list WHERE owner_id = $1
     HAVING NOT EXISTS (SELECT FROM guest_hand_over WHERE guest_id = $1)`,
    [ownerId],
  );
  const [held] = counts.rows;
  if (!held) return null;
  const { max } = owner.isGuest ? BUDGETS.listsOfGuest : BUDGETS.listsOfAccount;
  return { isInvited: owner.isInvited, lists: held.lists, bytes: max - held.bytes };
}

/** @returns whether the user owned such a list */
export async function deleteList(db: Database, listId: string, ownerId: string): Promise<boolean> {
  const { count } = await db.wordList.deleteMany({ where: { id: listId, ownerId } });
  return count === 1;
}

export async function findLists(postgres: Postgres, ownerId: string): Promise<WordList[]> {
  const { rows } = await postgres.query<WordList>(
    `SELECT ${WORD_LIST_COLUMNS} FROM word_list WHERE owner_id = $1 ORDER BY updated_at DESC, id`,
    [ownerId],
  );
  return rows;
}

/** @returns whether there is such a list that everybody who has its link may read */
export async function isShared(db: Database, listId: string): Promise<boolean> {
  return (await db.wordList.count({ where: { id: listId, shared: true } })) > 0;
}

/**
 * Lets PostgreSQL serialise the list, since 2,000 long terms would block this process's event loop.
 * @returns the list with its terms as JSON; null if it doesn't exist or the user may not read it
 */
export async function findListText(postgres: PostgresPool, listId: string, userId: string): Promise<string | null> {
  const { rows } = await postgres.query<{ list: string }>(
    `SELECT row_to_json(found)::text AS list
       FROM (SELECT ${WORD_LIST_COLUMNS}, terms FROM word_list WHERE id = $1 AND (owner_id = $2 OR shared)) found`,
    [listId, userId],
  );
  return rows[0]?.list ?? null;
}

const SUPPLY_FIELDS = { termCount: true, promptCount: true, questionCount: true } as const;
const LIST_FIELDS = { name: true, version: true, sourceLanguage: true, targetLanguage: true } as const;

/** @returns null if the list doesn't exist or the user may not read it */
export async function findPlayableList(
  db: Database,
  { listId, reverse }: ListDirection,
  userId: string,
): Promise<PlayableList | null> {
  // The list is the user's own, or shared.
  const where = { id: listId, OR: [{ ownerId: userId }, { shared: true }] };
  const row = await db.wordList.findFirst({ where, select: { ...LIST_FIELDS, ...SUPPLY_FIELDS } });
  if (!row) return null;
  const { termCount, promptCount, questionCount, sourceLanguage, targetLanguage, ...rest } = row;
  if (reverse) return { listId, ...rest, sourceLanguage: targetLanguage, targetLanguage: sourceLanguage, reverse };
  const supply = { terms: termCount, prompts: promptCount, questions: questionCount };
  return { listId, ...rest, sourceLanguage, targetLanguage, supply };
}

const TERMS = {
  name: 'find_terms_of_list',
  text: `SELECT term FROM word_list CROSS JOIN LATERAL jsonb_array_elements(terms) WITH ORDINALITY AS t (term, place)
          WHERE id = $1 ORDER BY place`,
};

/** Reads a term a row, so that no turn of the event loop parses a whole list. @returns null if the list is deleted */
export async function findTerms(postgres: Postgres, listId: string): Promise<ListTerm[] | null> {
  const { rows } = await postgres.query<{ term: ListTerm }>({ ...TERMS, values: [listId] });
  return rows.length > 0 ? rows.map(({ term }) => term) : null;
}

/** @throws AppError LIST_NOT_FOUND if the list doesn't exist or the user may not read it */
export async function requireList(db: Database, wanted: ListDirection, userId: string): Promise<PlayableList> {
  const list = await findPlayableList(db, wanted, userId);
  if (!list) throw notThere();
  return list;
}

/**
 * Transfers lists, the newest first, as far as the account's quota allows, and deletes the others. Repeating it changes
 * nothing.
 * @param tx a transaction that has locked both users, so that neither stores a list meanwhile
 */
export async function handOverLists(tx: Prisma.TransactionClient, guestId: string, accountId: string): Promise<void> {
  const stored = await tx.wordList.aggregate({ where: { ownerId: accountId }, _sum: { bytes: true } });
  const guestLists = await tx.wordList.findMany({
    where: { ownerId: guestId },
    select: { id: true, bytes: true },
    orderBy: [{ updatedAt: 'desc' }, { id: 'asc' }],
  });
  let room = BUDGETS.listsOfAccount.max - (stored._sum.bytes ?? 0);
  const fitting = guestLists.filter(({ bytes }) => {
    if (bytes > room) return false;
    room -= bytes;
    return true;
  });
  await tx.wordList.updateMany({ where: { id: { in: fitting.map(({ id }) => id) } }, data: { ownerId: accountId } });
  await tx.wordList.deleteMany({ where: { ownerId: guestId } });
}
