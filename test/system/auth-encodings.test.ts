// An account endpoint that decodes a malformed value, or redirects to one, answers with a client error and
// never with a failure of the service. [contract 1, 6]
import { beforeAll, describe, expect, test } from 'vitest';
import { authOperations, type Operation } from '../support/fuzz/operations.ts';
import type { Json } from '../support/fuzz/schema-values.ts';
import { createHttpClient, type HttpClient, type HttpResponse } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import { createSignedInUser } from '../support/users.ts';

const { service } = useService();

let operations: Operation[];
beforeAll(async () => {
  const { body } = await createHttpClient(service.url).get('/api/openapi.json');
  operations = authOperations(service.services.auth, body);
});

/** These percent-encodings are invalid UTF-8, cut off, or encode characters that no header can contain. */
const ENCODED = [
  '/%E2%82%AC',
  '/%ff',
  '/%F0%9F%98%80?%E2%82%AC=%ff#%E2%82%AC',
  '/%C0%AF',
  '/%ED%A0%80',
  '/%00',
  '/%0d%0aset-cookie:%20x=y',
  '/%C2%85',
  '/%85',
  '/%',
  '/%zz',
  '/%u20AC',
  '%E2%82%AC',
  '%',
  '%00',
];
/** These are the same characters unencoded, for bodies, in which nothing is percent-decoded. */
const TEXTS = ['/€', '/\u{ff}', '/😀?€=1#€', '/\ud800', '/\u0000', '/\r\nx: y', '/%zz', '€', '%'];

/** Each request sends the parameters of all endpoints, because an endpoint may read more than it describes. */
const PARAMETERS = [
  'callbackURL redirectTo errorCallbackURL newUserCallbackURL token state code',
  'error error_description iss user device_id email id',
].flatMap((names) => names.split(' '));
const COOKIES = ['session_token', 'two_factor', 'trust_device', 'state', 'guest', 'dont_remember'];

/** @returns the operation's address, with `value` for each parameter in its path */
const pathOf = ({ path }: Operation, value = 'x') => path.replace(/\{\w+\}/g, value);

async function send(operation: Operation, path: string, by = createHttpClient(service.url)) {
  const { method, body } = operation;
  if (method === 'GET') return by.get(path);
  return by.post(path, body && { token: 'x', code: 'x' });
}
/** @returns the request and its answer if the service failed, otherwise nothing */
function failureIn(request: string, { status, headers }: HttpResponse): string[] {
  const location = headers.get('location') ?? '';
  const isPlain = /^[\x21-\x7e]*$/.test(location);
  return status >= 500 || !isPlain || headers.get('x') ? [`${request}: ${status} ${location}`] : [];
}

test.for(['/%E2%82%AC', '/%ff'])(
  'an opened link redirects to callbackURL=%s in a valid Location header',
  async (encoded) => {
    const path = `/api/auth/verify-email?token=x&callbackURL=${encoded}`;
    const answer = await createHttpClient(service.url).get(path);
    expect(answer.status).toBe(302);
    const expected = encoded === '/%ff' ? '/%EF%BF%BD' : encoded;
    expect(answer.headers.get('location')).toBe(`${expected}?error=INVALID_TOKEN`);
  },
);

describe('a malformed encoding', () => {
  test('in any query, path or cookie is no failure of the service', async () => {
    const failures: string[] = [];
    for (const operation of operations)
      for (const value of ENCODED) {
        const query = PARAMETERS.map((name) => `${name}=${value}`).join('&');
        const cookie = COOKIES.map((name) => `better-auth.${name}=${value.replaceAll(/[/?#]/g, '')}`).join('; ');
        const by = createHttpClient(service.url, { cookie });
        const asked: [string, HttpClient?][] = [[`${pathOf(operation)}?${query}`, by]];
        // A malformed token would be refused before the endpoint uses callbackURL.
        if (operation.method === 'GET') asked.push([`${pathOf(operation)}?token=x&callbackURL=${value}`]);
        if (operation.path.includes('{'))
          asked.push([`${pathOf(operation, value.replaceAll(/[/?#]/g, ''))}?callbackURL=/x`]);
        for (const [path, client] of asked)
          failures.push(...failureIn(`${operation.name} ${path}`, await send(operation, path, client)));
      }
    expect(failures).toEqual([]);
  });

  test('in any body is no failure of the service, signed in or not', async () => {
    const { cookie } = await createSignedInUser(service.services);
    const failures: string[] = [];
    for (const operation of operations.filter(({ body }) => body))
      for (const value of TEXTS)
        for (const by of ['', cookie].map((own) => createHttpClient(service.url, { cookie: own }))) {
          const names = [...PARAMETERS, ...Object.keys((operation.body as Json).properties ?? {})];
          const body = {
            ...Object.fromEntries(names.map((name) => [name, value])),
            email: 'a@example.com',
            password: 'correct horse',
            provider: 'google',
          };
          const answer = await by.post(pathOf(operation), body);
          failures.push(...failureIn(`${operation.name} ${JSON.stringify(value)}`, answer));
        }
    expect(failures).toEqual([]);
  });
});
