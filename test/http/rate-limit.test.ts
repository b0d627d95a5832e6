// Requests are limited by user or by client address, over all replicas, whatever another spelling of a path or a header
// that names another client is tried. [contract 8, 17]
import { beforeEach, describe, expect, it } from 'vitest';
import { countedNetworks } from '../../src/http/client-address.ts';
import type { RedisClient } from '../../src/platform/redis/redis.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { SHORT_OUTAGES, startService, type TestService, useReplicas } from '../support/service.ts';
import { createPerson, type TestUser } from '../support/users.ts';

const AUTH_MAX = 3;
const GAME_MAX = 6;
const WINDOW_MS = 600_000;

const ENV = {
  ...SHORT_OUTAGES,
  RATE_LIMIT_AUTH_MAX: `${AUTH_MAX}`,
  RATE_LIMIT_GAME_MAX: `${GAME_MAX}`,
  RATE_LIMIT_WINDOW_MS: `${WINDOW_MS}`,
};
const { replicas, stores } = useReplicas(2, { ...ENV, TRUST_PROXY: 'loopback' });
const [first, second] = replicas as [TestService, TestService];
/** It trusts no proxy. */
const open = forAllTests(() => startService(stores, ENV));
let redis: RedisClient;

beforeEach(async () => {
  ({ redis } = open.services);
  const keys = await redis.keys('limit:*');
  if (keys.length > 0) await redis.del(keys);
});

describe('[contract 8] the game limiter', () => {
  let user: TestUser;
  let client: HttpClient;
  beforeEach(async () => {
    ({ user, client } = await createPerson(first));
  });

  const vocabulary = ({ url }: TestService) => client.at(url).get('/api/v1/vocabulary');
  const exhaust = async () => {
    for (let count = 0; count < GAME_MAX; count++)
      expect((await vocabulary(count % 2 ? second : first)).status).toBe(200);
  };

  it('is shared by all replicas and refuses with 429 RATE_LIMITED', async () => {
    await exhaust();
    for (const service of [first, second]) {
      const refused = await vocabulary(service);
      const body = { code: 'RATE_LIMITED', status: 429, title: 'Too Many Requests' };
      expect(refused).toMatchObject({ status: 429, body });
      expect(refused.headers.get('content-type')).toBe('application/problem+json');
    }
  });

  it('counts all operations of the game together, refused requests too', async () => {
    expect((await client.post('/api/v1/game/answer', '{')).status).toBe(400);
    expect((await client.post('/api/v1/game/start', { questionCount: 51 })).status).toBe(400);
    expect((await client.post('/api/v1/game/start', 'x', { 'content-type': 'text/plain' })).status).toBe(415);
    const { headers } = await vocabulary(second);
    expect(headers.get('ratelimit-remaining')).toBe(`${GAME_MAX - 4}`);
    for (let count = 4; count < GAME_MAX + 2; count++) await vocabulary(first);
    expect(await redis.get(`limit:game:${user.id}`)).toBe(`${GAME_MAX + 2}`);
  });

  it('has a fixed window, which requests do not extend', async () => {
    await vocabulary(first);
    await redis.pexpire(`limit:game:${user.id}`, 60_000);
    for (let count = 0; count < GAME_MAX; count++) await vocabulary(first);
    const { status, headers } = await vocabulary(first);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    await redis.pexpire(`limit:game:${user.id}`, 1);
    await expect.poll(async () => (await vocabulary(first)).status).toBe(200);
  });

  it('[contract 10] refuses after authentication and before the body is parsed', async () => {
    await exhaust();
    expect((await createHttpClient(first.url).get('/api/v1/vocabulary')).status).toBe(401);
    for (const body of ['{', 'x'.repeat(70_000)])
      expect((await client.post('/api/v1/game/start', body)).status).toBe(429);
    expect((await client.put('/api/v1/game/start')).status).toBe(405);
    expect((await client.get('/api/v1/game/nope')).status).toBe(404);
  });
});

describe('[contract 8] the auth limiter', () => {
  const NOBODY = { email: 'nobody@example.com', password: 'wrong-password' };
  const signIn = ({ url }: TestService, address: string) =>
    createHttpClient(url, { origin: first.url }).post('/api/auth/sign-in/email', NOBODY, {
      'x-forwarded-for': address,
    });

  it('counts by client address on all replicas, and refuses in the format of better-auth', async () => {
    for (let count = 0; count < AUTH_MAX; count++)
      expect((await signIn(count % 2 ? second : first, '203.0.113.1')).status).toBe(401);
    const { status, headers, body } = await signIn(second, '203.0.113.1');
    expect(status).toBe(429);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toEqual({ code: 'RATE_LIMITED', message: expect.stringContaining('from your network') });
    expect((await signIn(first, '203.0.113.2')).status).toBe(401);
  });

  it.each([
    ['GET', '/api/auth/get-session'],
    ['POST', '/api/auth/sign-out'],
    ['GET', '/api/auth/callback/google?code=x&state=y'],
    ['GET', '/api/auth/callback/github'],
  ])('skips %s %s', async (method, path) => {
    for (let count = 0; count <= AUTH_MAX; count++) {
      const { status, headers } = await createHttpClient(first.url).request(method, path);
      expect(status).not.toBe(429);
      expect(headers.has('ratelimit-limit')).toBe(false);
    }
    expect(await redis.keys('limit:auth:*')).toEqual([]);
  });
});

const ATTACKER = '198.51.100.7';
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
])('another spelling of a path is counted as the operation that it reaches, or is refused: %s', async (url) => {
  await exhaust(open);
  expect([400, 404, 429]).toContain(await guess(open, { url }));
});

describe('the address of another client in a header', () => {
  const X_HEADERS = ['x-forwarded-for', 'x-real-ip', 'x-client-ip', 'x-client-address'];
  it.each([...X_HEADERS, 'forwarded', 'true-client-ip', 'cf-connecting-ip'])(
    'is ignored when the client sends it itself: %s',
    async (name) => {
      await exhaust(open);
      for (const value of ['203.0.113.1', '127.0.0.1', '::1', 'for=203.0.113.1'])
        expect(await guess(open, { headers: { [name]: value } })).toBe(429);
    },
  );

  it('is ignored when it precedes the address that the proxy has added', async () => {
    await exhaust(first, behind(ATTACKER));
    for (const forged of ['203.0.113.1', '127.0.0.1', 'unknown', '10.0.0.1, 127.0.0.1'])
      expect(await guess(first, behind(`${forged}, ${ATTACKER}`))).toBe(429);
  });

  it.each([
    [ATTACKER, [`${ATTACKER}:1`, `${ATTACKER}:65535`, `::ffff:${ATTACKER}`, `[::ffff:${ATTACKER}]:1`]],
    ['2001:db8:1:2::1', ['[2001:db8:1:2::1]:1', '2001:DB8:1:2::FFFF', '[2001:db8:1:2:3:4:5:6]:2']],
  ])(
    'is counted as the same client with any port, as a mapped address, or in the same /64: %s',
    async (address, others) => {
      await exhaust(first, behind(address));
      for (const other of others) expect(await guess(first, behind(other))).toBe(429);
      expect(await guess(first, behind('203.0.113.99'))).toBe(401);
    },
  );

  it('is counted as another client in another /64, and each /48 has ten times as many requests', async () => {
    await exhaust(first, behind('2001:db8:1::1'));
    // The limiter counts a refused request for its /64 alone, so that other subnets of the /48 are admitted.
    for (let count = 0; count < 10 * AUTH_MAX; count++) expect(await guess(first, behind('2001:db8:1::1'))).toBe(429);
    for (let subnet = 1; subnet < 10; subnet++)
      for (let count = 0; count < AUTH_MAX; count++)
        expect(await guess(first, behind(`2001:db8:1:${subnet}::1`))).toBe(401);
    expect(await guess(first, behind('2001:db8:1:a::1'))).toBe(429);
    expect(await guess(first, behind('2001:db8:2:a::1'))).toBe(401);
  });
});

const V4 = '203.0.113.7 ×1';
it.each([
  ['IPv4 is itself', ['203.0.113.7'], V4],
  ['a port makes no other client', ['203.0.113.7:1', '203.0.113.7:65535'], V4],
  ['IPv4 mapped into IPv6 is that IPv4', ['::ffff:203.0.113.7', '::FFFF:cb00:7107', '[::ffff:203.0.113.7]:443'], V4],
  [
    'an IPv6 address is counted as its /64 and its /48 in every notation',
    ['2001:db8:1:2:3:4:5:6', '2001:DB8:1:2::', '[2001:db8:1:2::9]', '[2001:db8:1:2::9]:443'],
    '2001:db8:1:2::/64 ×1, 2001:db8:1::/48 ×10',
  ],
  ['the next /64 is another client of the same /48', ['2001:db8:1:3::1'], '2001:db8:1:3::/64 ×1, 2001:db8:1::/48 ×10'],
  ['a /48 and its first /64 are two networks', ['2001:db8:2::1'], '2001:db8:2::/64 ×1, 2001:db8:2::/48 ×10'],
  ['a zone is left out', ['fe80::1%eth0'], 'fe80::/64 ×1, fe80::/48 ×10'],
  ['a text that is no address is counted as itself', ['unknown', 'UNKNOWN'], 'unknown ×1'],
])('of the networks by which an address is counted, %s', (_title, addresses, networks) => {
  for (const address of addresses) {
    const counted = countedNetworks(address).map(({ key, times }) => `${key} ×${times}`);
    expect(counted.join(', ')).toBe(networks);
  }
});
