// Every operation has the guards that its row in the table says: session, limiter, and checks of query and body.
// [contract 1, 8, 10]
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { OPERATIONS } from '../../src/operations.ts';
import { codeOf, createHttpClient, type HttpClient } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import { createPerson } from '../support/users.ts';

/** A limit for each limiter that no other has. */
const MAX = { auth: 9001, guest: 9002, game: 9003, lobby: 9004, export: 9005 };
const limits = Object.entries(MAX).map(([name, max]) => [`RATE_LIMIT_${name.toUpperCase()}_MAX`, `${max}`]);
const { service } = useService({ GUESTS: 'true', ...Object.fromEntries(limits) });

let user: HttpClient;
let nobody: HttpClient;
beforeAll(async () => {
  user = (await createPerson(service)).client;
  nobody = createHttpClient(service.url);
});

const BROKEN = { headers: { 'content-type': 'application/json' }, body: '{"bad":' };

const addressOf = (path: string) =>
  path.replace(':code', '7KQ2ZD').replaceAll(/:\w+/g, '3d5a9f52-1c0e-4a53-9a77-0a4e6b1f7c21');

const FOR_USERS = OPERATIONS.filter(({ access }) => access === 'user');
it.each(FOR_USERS)('$method $path is 401 without a session, before any other check', async ({ method, path }) => {
  const broken = method === 'GET' ? {} : BROKEN;
  const refused = await nobody.request(method, `${addressOf(path)}?unknown=1`, broken);
  expect(codeOf(refused)).toEqual([401, 'UNAUTHENTICATED']);
  expect(refused.headers.get('ratelimit-limit')).toBeNull();
});

it.each(OPERATIONS)('$method $path is 400 with an unknown query field, and counts for its limiter', async (row) => {
  const { method, path, limit } = row;
  const refused = await user.request(method, `${addressOf(path)}?unknown=1`);
  expect(codeOf(refused)).toEqual([400, 'VALIDATION_FAILED']);
  expect(refused.headers.get('ratelimit-limit')).toBe(limit ? `${MAX[limit]}` : null);
});

const WITH_BODIES = OPERATIONS.filter(({ method }) => method !== 'GET');
it.each(WITH_BODIES)('$method $path is 400 with a body that is not JSON', async ({ method, path }) => {
  const refused = await user.request(method, addressOf(path), BROKEN);
  expect(codeOf(refused)).toEqual([400, 'INVALID_JSON']);
  expect(refused.headers.get('content-type')).toMatch(/^application\/problem\+json/);
});

const BODIES = OPERATIONS.flatMap(({ id, body }) =>
  (body instanceof z.ZodDiscriminatedUnion ? body.options : [body ?? []].flat()).map((choice) => [id, choice] as const),
);
it.each(BODIES)('the body of %s takes no unknown field', (_, choice) => {
  const { issues = [] } = (choice as z.ZodType).safeParse({ 'an unknown field': '' }).error ?? {};
  expect(issues).toContainEqual(expect.objectContaining({ code: 'unrecognized_keys' }));
});

const WITH_IDS = OPERATIONS.filter(({ path }) => /:\w*Id\b/.test(path));
it.each(WITH_IDS)('$method $path is 400 with an id that is no UUID', async ({ method, path }) => {
  const refused = await user.request(method, path.replace(':code', '7KQ2ZD').replace(/:\w*Id\b/, 'x'));
  expect(codeOf(refused)).toEqual([400, 'VALIDATION_FAILED']);
});
