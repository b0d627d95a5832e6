// Clients try to evade the limiters by other spellings of a path and by headers that name another client.
// [contract 8, 17]
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';

const AUTH_MAX = 3;
const ATTACKER = '198.51.100.7';

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

/** Sends a wrong password, for another account each time. @returns the status */
async function guess(
  service: TestService,
  { url = '/api/auth/sign-in/email', headers = {}, remoteAddress = ATTACKER },
): Promise<number> {
  const { statusCode } = await service.app.inject({
    method: 'POST',
    url,
    remoteAddress,
    headers: { origin: service.config.auth.publicUrl, ...headers },
    payload: { email: `nobody-${++emails}@example.com`, password: 'wrong-password' },
  });
  return statusCode;
}

async function exhaust(service: TestService, request: object = {}): Promise<void> {
  for (let count = 0; count < AUTH_MAX; count++) expect(await guess(service, request)).toBe(401);
  expect(await guess(service, request)).toBe(429);
}

/** A request to a proxy on this machine, which passes on this x-forwarded-for. */
const behind = (forwarded: string) => ({ remoteAddress: '127.0.0.1', headers: { 'x-forwarded-for': forwarded } });

describe('another spelling of a path', () => {
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
  ])('is counted as the operation that it reaches, or is refused: %s', async (url) => {
    await exhaust(open);
    expect([400, 404, 429]).toContain(await guess(open, { url }));
  });
});

describe('the address of another client in a header', () => {
  it.each([
    'x-forwarded-for',
    'x-real-ip',
    'forwarded',
    'true-client-ip',
    'cf-connecting-ip',
    'x-client-ip',
    'x-client-address',
  ])('is ignored when the client sends it itself: %s', async (name) => {
    await exhaust(open);
    for (const value of ['203.0.113.1', '127.0.0.1', '::1', 'for=203.0.113.1'])
      expect(await guess(open, { headers: { [name]: value } })).toBe(429);
  });

  it('is ignored when it precedes the address that the proxy has added', async () => {
    await exhaust(proxied, behind(ATTACKER));
    for (const forged of ['203.0.113.1', '127.0.0.1', 'unknown', '10.0.0.1, 127.0.0.1'])
      expect(await guess(proxied, behind(`${forged}, ${ATTACKER}`))).toBe(429);
  });

  it.each([
    [ATTACKER, [`${ATTACKER}:1`, `${ATTACKER}:65535`, `::ffff:${ATTACKER}`, `[::ffff:${ATTACKER}]:1`]],
    ['2001:db8:1:2::1', ['[2001:db8:1:2::1]:1', '2001:DB8:1:2::FFFF', '[2001:db8:1:2:3:4:5:6]:2']],
  ])(
    'is counted as the same client with any port, as a mapped address, or in the same /64: %s',
    async (address, others) => {
      await exhaust(proxied, behind(address));
      for (const other of others) expect(await guess(proxied, behind(other))).toBe(429);
      expect(await guess(proxied, behind('203.0.113.99'))).toBe(401);
    },
  );

  it('is counted as another client in another /64, and each /48 has ten times as many requests', async () => {
    await exhaust(proxied, behind('2001:db8:1::1'));
    // The limiter counts a refused request for its /64 alone, so that other subnets of the /48 are admitted.
    for (let count = 0; count < 10 * AUTH_MAX; count++) expect(await guess(proxied, behind('2001:db8:1::1'))).toBe(429);
    for (let subnet = 1; subnet < 10; subnet++)
      for (let count = 0; count < AUTH_MAX; count++)
        expect(await guess(proxied, behind(`2001:db8:1:${subnet}::1`))).toBe(401);
    expect(await guess(proxied, behind('2001:db8:1:a::1'))).toBe(429);
    expect(await guess(proxied, behind('2001:db8:2:a::1'))).toBe(401);
  });
});
