// Every operation has the guards that its row in the table says: session, limiter, and checks of query and body.
// [contract 1, 8, 10]
import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/operations.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import { createSignedInUser } from '../support/users.ts';

/** A limit for each limiter that no other has. */
const MAX = { auth: 9001, guest: 9002, game: 9003, lobby: 9004, export: 9005 };
const limits = Object.entries(MAX).map(([name, max]) => [`RATE_LIMIT_${name.toUpperCase()}_MAX`, `${max}`]);
const { service } = useService({ GUESTS: 'true', ...Object.fromEntries(limits) });

let user: HttpClient;
let nobody: HttpClient;
beforeAll(async () => {
  user = createHttpClient(service.url, { cookie: (await createSignedInUser(service.services)).cookie });
  nobody = createHttpClient(service.url);
});

const BROKEN = { headers: { 'content-type': 'application/json' }, body: '{"bad":' };

describe.each(OPERATIONS)('$method $path', ({ method, path, access, limit }) => {
  const address = path.replace(':code', '7KQ2ZD').replaceAll(/:\w+/g, '3d5a9f52-1c0e-4a53-9a77-0a4e6b1f7c21');
  const broken = method === 'GET' ? {} : BROKEN;

  it.runIf(access === 'user')('is 401 without a session, before any other check', async () => {
    const { status, headers, body } = await nobody.request(method, `${address}?unknown=1`, broken);
    expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(headers.get('ratelimit-limit')).toBeNull();
  });

  it('is 400 with an unknown field in its query, and counts for its limiter', async () => {
    const { status, headers, body } = await user.request(method, `${address}?unknown=1`);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(headers.get('ratelimit-limit')).toBe(limit ? `${MAX[limit]}` : null);
  });

  it.runIf(method !== 'GET')('is 400 with a body that is not JSON', async () => {
    const { status, headers, body } = await user.request(method, address, BROKEN);
    expect([status, body.code]).toEqual([400, 'INVALID_JSON']);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });
});
