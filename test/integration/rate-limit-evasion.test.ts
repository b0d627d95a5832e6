// Somebody who tries to be counted as somebody else, or not at all: other ways to write the address of
// an operation, and headers that name another client. [contract 8, 17]

import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';

const AUTH_MAX = 3;
const ENEMY = '198.51.100.7';

let stores: TestStores;
let open: TestService;
let proxied: TestService;

beforeAll(async () => {
  stores = await startStores();
  const env = { RATE_LIMIT_AUTH_MAX: `${AUTH_MAX}` };
  open = await startService(stores, env);
  proxied = await startService(stores, { ...env, TRUST_PROXY: 'loopback' });
});
afterAll(async () => {
  await open.stop();
  await proxied.stop();
  await stores.stop();
});
beforeEach(async () => {
  const redis = open.services.redis as Redis;
  const keys = await redis.keys('limit:*');
  if (keys.length > 0) await redis.del(keys);
});

let emails = 0;

/** One guess at a password, of another account each time. @returns the status */
async function guess(
  service: TestService,
  { url = '/api/auth/sign-in/email', headers = {}, remoteAddress = ENEMY },
): Promise<number> {
  const { statusCode } = await service.app.inject({
    ...{ method: 'POST', url, remoteAddress },
    headers: { origin: service.config.auth.publicUrl, ...headers },
    payload: { email: `nobody-${++emails}@example.com`, password: 'wrong-password' },
  });
  return statusCode;
}

async function exhaust(service: TestService, request: object = {}): Promise<void> {
  for (let count = 0; count < AUTH_MAX; count++) expect(await guess(service, request)).toBe(401);
  expect(await guess(service, request)).toBe(429);
}

describe('another way to write the address', () => {
  it.each([
    '/api/auth/sign-in/email/',
    '/api/auth//sign-in/email',
    '//api/auth/sign-in/email',
    '/api/auth/./sign-in/email',
    '/api/auth/x/../sign-in/email',
    '/api/auth/get-session/../sign-in/email',
    '/api/auth/callback/%2e%2e/sign-in/email',
    '/api/auth/callback/.%2E/sign-in/email',
    '/api/auth/callback/..%2fsign-in/email',
    '/api/auth/callback/..\\sign-in\\email',
    '/api/auth/%73ign-in/email',
    '/%61pi/auth/sign-in/email',
    '/api/auth/sign-in%2Femail',
    '/API/AUTH/SIGN-IN/EMAIL',
    '/api/auth/sign-in/email?x=/get-session',
    '/api/auth/sign-in/email;/get-session',
    '/api/auth/sign-in/email#/get-session',
    'http://other.example/api/auth/sign-in/email',
  ])('is counted as the operation that it leads to, or leads nowhere: %s', async (url) => {
    await exhaust(open);
    expect([400, 404, 429]).toContain(await guess(open, { url }));
  });
});

describe('the name of another client', () => {
  it.each([
    'x-forwarded-for',
    'x-real-ip',
    'forwarded',
    'true-client-ip',
    'cf-connecting-ip',
    'x-client-ip',
    'x-client-address',
  ])('is not believed of a client: %s', async (name) => {
    await exhaust(open);
    for (const value of ['203.0.113.1', '127.0.0.1', '::1', 'for=203.0.113.1'])
      expect(await guess(open, { headers: { [name]: value } })).toBe(429);
  });

  it('is not believed in front of what the proxy says', async () => {
    const behind = (forwarded: string) => ({
      remoteAddress: '127.0.0.1',
      headers: { 'x-forwarded-for': forwarded },
    });
    await exhaust(proxied, behind(ENEMY));
    for (const made of ['203.0.113.1', '127.0.0.1', 'unknown', '10.0.0.1, 127.0.0.1'])
      expect(await guess(proxied, behind(`${made}, ${ENEMY}`))).toBe(429);
  });

  it.each([
    [ENEMY, [`${ENEMY}:1`, `${ENEMY}:65535`, `::ffff:${ENEMY}`, `[::ffff:${ENEMY}]:1`]],
    ['2001:db8:1:2::1', ['[2001:db8:1:2::1]:1', '2001:DB8:1:2::FFFF', '[2001:db8:1:2:3:4:5:6]:2']],
  ])(
    'a port, a mapped address or another one of the same /64 makes no other client: %s',
    async (address, others) => {
      const behind = (forwarded: string) => ({
        remoteAddress: '127.0.0.1',
        headers: { 'x-forwarded-for': forwarded },
      });
      await exhaust(proxied, behind(address));
      for (const other of others) expect(await guess(proxied, behind(other))).toBe(429);
      expect(await guess(proxied, behind('203.0.113.99'))).toBe(401);
    },
  );
});
