// Creates word lists for tests.
import type { ListTerm, WordList } from '../../src/vocabulary/lists/schema.ts';
import { createHttpClient, type HttpClient, type HttpResponse } from './http-client.ts';
import { type TestService, useReplicas } from './service.ts';
import { createSignedInUser } from './users.ts';

/** @returns `count` different terms; the first is `Wort 1`, `sana 1` */
export function termsOf(count: number): ListTerm[] {
  return Array.from({ length: count }, (_, at) => ({ sourceText: `Wort ${at + 1}`, targetText: `sana ${at + 1}` }));
}

/** @returns the body of a request for a list of six terms, with `changes` */
export function listOf(changes: object = {}) {
  const direction = { sourceLanguage: 'de', targetLanguage: 'fi' };
  return { name: 'Station', ...direction, shared: false, terms: termsOf(6), ...changes };
}

/**
 * Stores a list of six terms, with `changes`.
 * @throws Error if the service refuses it
 */
export async function storeList(client: HttpClient, changes: object = {}): Promise<WordList> {
  const { status, body } = await client.post('/api/v1/lists', listOf(changes));
  if (status !== 201) throw new Error(`list: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** Two replicas for all tests of a file, and what their users do with lists. */
export function useLists() {
  const { replicas } = useReplicas(2);
  return {
    replicas,
    /** @returns a new user's client of a replica, from 0 */
    async newUser(replica = 0): Promise<HttpClient> {
      const { services, url } = replicas[replica] as TestService;
      const { cookie } = await createSignedInUser(services);
      return createHttpClient(url, { cookie });
    },
    /** Stores a list as `storeList` does. */
    create: storeList,
    put: (user: HttpClient, listId: string, body: object): Promise<HttpResponse> =>
      user.request('PUT', `/api/v1/lists/${listId}`, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    remove: (user: HttpClient, listId: string): Promise<HttpResponse> =>
      user.request('DELETE', `/api/v1/lists/${listId}`),
  };
}
