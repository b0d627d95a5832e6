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

export interface Lists {
  replicas: TestService[];
  /** @returns a new user's client of a replica, from 0 */
  newUser(replica?: number): Promise<HttpClient>;
  /** Stores a list as `storeList` does. */
  create(user: HttpClient, changes?: object): Promise<WordList>;
  put(user: HttpClient, listId: string, body: object): Promise<HttpResponse>;
  remove(user: HttpClient, listId: string): Promise<HttpResponse>;
}

/** Two replicas for all tests of a file, and what their users do with lists. */
export function useLists(): Lists {
  const { replicas } = useReplicas(2);
  return {
    replicas,
    async newUser(replica = 0) {
      const { services, url } = replicas[replica] as TestService;
      const { cookie } = await createSignedInUser(services);
      return createHttpClient(url, { cookie });
    },
    create: storeList,
    put: (user, listId, body) =>
      user.request('PUT', `/api/v1/lists/${listId}`, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    remove: (user, listId) => user.request('DELETE', `/api/v1/lists/${listId}`),
  };
}
