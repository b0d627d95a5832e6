// Lists as tests send them.
import type { ListTerm } from '../../src/vocabulary/lists/schema.ts';

/** @returns `count` different terms, the first of them `Wort 1`, `sana 1` */
export function termsOf(count: number): ListTerm[] {
  return Array.from({ length: count }, (_, at) => ({
    sourceText: `Wort ${at + 1}`,
    targetText: `sana ${at + 1}`,
  }));
}

/** @returns the body of a request for a list of six terms, with `changes` */
export function listOf(changes: object = {}) {
  const direction = { sourceLanguage: 'de', targetLanguage: 'fi' };
  return { name: 'Station', ...direction, shared: false, terms: termsOf(6), ...changes };
}
