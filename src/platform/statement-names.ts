// Names for SQL statements. A statement with a name is parsed and planned once a connection, not each time:
// for most of ours that is four fifths of what they cost the server, and half of what they cost here.
import { LRUCache } from 'lru-cache';

/** The server keeps them all, for each connection. */
const MAX_NAMED = 100;
/** So often a statement is seen before it gets a name: some are as long as what they are asked for. */
const SEEN_BEFORE = 3;
const MAX_SEEN = 1000;

const NONE = '';

/** @returns what gives each statement of a process its name; '' for none, as long as that is not worth it */
export function createStatementNames(): (statement: { sql: string }) => string {
  const names = new Map<string, string>();
  const seen = new LRUCache<string, number>({ max: MAX_SEEN });
  return ({ sql }) => {
    const known = names.get(sql);
    if (known) return known;
    if (names.size === MAX_NAMED) return NONE;
    const times = (seen.get(sql) ?? 0) + 1;
    if (times < SEEN_BEFORE) {
      seen.set(sql, times);
      return NONE;
    }
    seen.delete(sql);
    const name = `quiz_${names.size}`;
    names.set(sql, name);
    return name;
  };
}
