// Names prepared statements. PostgreSQL parses and plans a named statement once for each connection instead of
// at each execution, and for a short statement that is most of the cost.
import { createHash } from 'node:crypto';

/**
 * How many statements get a name. The server keeps a named statement until its connection closes, so that the
 * number needs a bound. The service has fewer; any further statement is sent without a name.
 */
const MAX_NAMED = 300;

/** Prisma writes one placeholder for each value of a list, so that a list of another length is another statement. */
const HAS_LIST = /\bIN \(\$\d+,|\),\s*\(/i;

/** @returns a function that names the statements of a process; it returns '' for a statement without a name */
export function createStatementNames(): (statement: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size === MAX_NAMED || HAS_LIST.test(sql)) return '';
    const name = `quiz_${createHash('sha256').update(sql).digest('hex').slice(0, 24)}`;
    names.set(sql, name);
    return name;
  };
}
