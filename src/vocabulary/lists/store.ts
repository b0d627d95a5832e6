// Lists in PostgreSQL: a list is a row, so that it is always read and replaced as a whole.
import type { Prisma, WordList as Row } from '../../generated/prisma/client.ts';
import type { Database } from '../../platform/postgres.ts';
import { countQuestions, preparePool } from '../rules.ts';
import { MAX_LISTS } from './limits.ts';
import { toTerms } from './rules.ts';
import type { ListRequest, ListTerm, WordList, WordListWithTerms } from './schema.ts';

/** What a list is to whoever plays it; with another version its words are others. */
export interface ListHead {
  listId: string;
  name: string;
  version: number;
}

const HEAD = {
  id: true,
  name: true,
  sourceLanguage: true,
  targetLanguage: true,
  shared: true,
  termCount: true,
  updatedAt: true,
} as const;

function toList({ id, updatedAt, ...row }: Pick<Row, keyof typeof HEAD>): WordList {
  return { listId: id, ...row, updatedAt: updatedAt.toISOString() };
}

function columnsOf({ terms, ...columns }: ListRequest) {
  return {
    ...columns,
    terms: terms as Prisma.InputJsonValue,
    termCount: terms.length,
    questionCount: countQuestions(preparePool(toTerms(terms), [])),
  };
}

/**
 * Adds a list, unless its owner has as many as there can be. The owner's row is held meanwhile, so that
 * of lists that are added at the same time no more are counted out than there is room for.
 * @returns the list, or why there is none
 */
export async function insertList(
  db: Database,
  ownerId: string,
  request: ListRequest,
): Promise<WordList | 'too_many' | 'no_owner'> {
  return db.$transaction(async (tx) => {
    const owners = await tx.$queryRaw<object[]>`
      SELECT id FROM "user" WHERE id = ${ownerId}::uuid FOR NO KEY UPDATE`;
    if (owners.length === 0) return 'no_owner';
    if ((await tx.wordList.count({ where: { ownerId } })) >= MAX_LISTS) return 'too_many';
    return toList(
      await tx.wordList.create({ data: { ownerId, ...columnsOf(request) }, select: HEAD }),
    );
  });
}

/** @returns the list as it is from now on; null when this user has no such list */
export async function replaceList(
  db: Database,
  listId: string,
  ownerId: string,
  request: ListRequest,
): Promise<WordList | null> {
  const { name, sourceLanguage, targetLanguage, shared, terms, termCount, questionCount } =
    columnsOf(request);
  const rows = await db.$queryRaw<Pick<Row, keyof typeof HEAD>[]>`
    UPDATE word_list
       SET name = ${name}, source_language = ${sourceLanguage}, target_language = ${targetLanguage},
           shared = ${shared}, terms = ${JSON.stringify(terms)}::jsonb, term_count = ${termCount},
           question_count = ${questionCount}, version = version + 1, updated_at = clock_timestamp()
     WHERE id = ${listId}::uuid AND owner_id = ${ownerId}::uuid
    RETURNING id, name, source_language AS "sourceLanguage", target_language AS "targetLanguage",
              shared, term_count AS "termCount", updated_at AS "updatedAt"`;
  return rows[0] ? toList(rows[0]) : null;
}

/** @returns whether this user had such a list */
export async function deleteList(db: Database, listId: string, ownerId: string): Promise<boolean> {
  const { count } = await db.wordList.deleteMany({ where: { id: listId, ownerId } });
  return count === 1;
}

/** @returns a user's lists, the last changed first */
export async function findLists(db: Database, ownerId: string): Promise<WordList[]> {
  const rows = await db.wordList.findMany({
    where: { ownerId },
    select: HEAD,
    orderBy: [{ updatedAt: 'desc' }, { id: 'asc' }],
  });
  return rows.map(toList);
}

/** Who may read a list: its owner, and everybody when it is shared. */
const readableBy = (listId: string, userId: string) => ({
  id: listId,
  OR: [{ ownerId: userId }, { shared: true }],
});

/** @returns the list with its terms; null when it is not there for this user */
export async function findListWithTerms(
  db: Database,
  listId: string,
  userId: string,
): Promise<WordListWithTerms | null> {
  const row = await db.wordList.findFirst({
    where: readableBy(listId, userId),
    select: { ...HEAD, terms: true },
  });
  if (!row) return null;
  const { terms, ...head } = row;
  return { ...toList(head), terms: terms as ListTerm[] };
}

/** @returns what playing the list needs; null when it is not there for this user */
export async function findListHead(
  db: Database,
  listId: string,
  userId: string,
): Promise<ListHead | null> {
  return db.wordList
    .findFirst({
      where: readableBy(listId, userId),
      select: { id: true, name: true, version: true },
    })
    .then((row) => row && { listId: row.id, name: row.name, version: row.version });
}

/** @returns the terms of a list, whoever's it is; null when it is gone */
export async function findTerms(db: Database, listId: string): Promise<ListTerm[] | null> {
  const row = await db.wordList.findUnique({ where: { id: listId }, select: { terms: true } });
  return row && (row.terms as ListTerm[]);
}
