// Creates word lists for tests.
import type { ListTerm, WordList } from '../../src/vocabulary/lists/schema.ts';
import type { HttpClient } from './http-client.ts';

/** @returns `count` different terms; the first is `Wort 1`, `sana 1` */
export const termsOf = (count: number): ListTerm[] =>
  Array.from({ length: count }, (_, at) => ({ sourceText: `Wort ${at + 1}`, targetText: `sana ${at + 1}` }));

/** @returns the body of a request for a list of six terms, with `changes` */
export function listOf(changes: object = {}) {
  const direction = { sourceLanguage: 'de', targetLanguage: 'fi' };
  return { name: 'Station', ...direction, shared: false, terms: termsOf(6), ...changes };
}

/** Stores a list of six terms, with `changes`. @throws Error if the service refuses it */
export async function storeList(client: HttpClient, changes: object = {}): Promise<WordList> {
  const { status, body } = await client.post('/api/v1/lists', listOf(changes));
  if (status !== 201) throw new Error(`list: ${status} ${JSON.stringify(body)}`);
  return body;
}
