// SQL that is asked at so many requests that the way to it counts: it goes to the pool itself, since Prisma's
// way there and back costs a process a multiple of what pg's does. The pool's limits, its accounts of who
// waits and its refusals are the same. All else, and every transaction, is Prisma's.
import type pg from 'pg';
import type { Database } from './postgres.ts';

const pools = new WeakMap<Database, pg.Pool>();

/** Has what is asked of a database by `textStatement` go to its pool. */
export function offerPool(db: Database, pool: pg.Pool): void {
  pools.set(db, pool);
}

/** A value of a statement, as PostgreSQL reads it: a text as in SQL, or its own bytes. */
type Value = string | number | Buffer;

/**
 * @param name tells the statement from all others, as each connection keeps it parsed and planned
 * @param text SQL with `$1` for the first value, which gives one row with one text
 * @returns asks it, and gives that text. @throws what pg does, DatabaseError with a SQLSTATE or Error
 */
export function textStatement(
  name: string,
  text: string,
): (db: Database, values: Value[]) => Promise<string> {
  return async (db, values) => {
    const query = { name, text, values, rowMode: 'array' };
    const { rows } = await (pools.get(db) as pg.Pool).query<[string]>(query);
    return (rows[0] as [string])[0];
  };
}
