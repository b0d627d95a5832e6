// Every limiter of the service, by its name, refuses with the headers of its own limit, whatever other limiter the
// request has passed before. A limiter that is missing here is a type error. [contract 1]
import { beforeAll, expect, it } from 'vitest';
import { type Limiter, limitKey, subjectOf } from '../../src/platform/redis/limits.ts';
import { PASSWORD } from '../support/accounts.ts';
import { createHttpClient, type HttpResponse } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import { createPerson, type TestUser } from '../support/users.ts';

const WINDOW_MS = 600_000;
/** A limit for each setting that no other has. */
const MAX = { auth: 201, guest: 202, game: 203, lobby: 204, export: 205, code_miss: 6, account: 7 };
/** Those that no setting changes. */
const FIXED = { invitation: 2000, invited_address: 2000, second_factor: 10, message: 40 };
const limits = Object.entries(MAX).map(([name, max]) => [`RATE_LIMIT_${name.toUpperCase()}_MAX`, `${max}`]);

const env = { GUESTS: 'true', TRUST_PROXY: 'loopback', RATE_LIMIT_WINDOW_MS: `${WINDOW_MS}` };
const { service } = useService({ ...env, ...Object.fromEntries(limits) }, { hasWords: true });
let user: TestUser;
let addresses = 0;
beforeAll(async () => {
  ({ user } = await createPerson(service, { password: PASSWORD }));
});

/** Sends a request from a client address of its own. */
function send(method: 'GET' | 'POST', path: string, address: string, body?: object): Promise<HttpResponse> {
  const isGuest = path.startsWith('/api/v1/guests') || path.startsWith('/api/v1/invitations');
  const client = createHttpClient(service.url, { cookie: isGuest ? '' : user.cookie });
  const from = { 'x-forwarded-for': address };
  return method === 'GET' ? client.get(path, from) : client.post(path, body, from);
}

/** Uses up a window that counts requests. */
const exhaust = (key: string) => service.services.redis.set(key, 1_000_000, 'PX', WINDOW_MS);

/** Fills a set of failures. */
async function fail(key: string, times: number): Promise<void> {
  const failures = Array.from({ length: times }, (_, at) => [Date.now() + WINDOW_MS, `${at}`]);
  await service.services.redis.zadd(key, ...failures.flat());
}

type Refuse = (address: string, name: Name) => Promise<HttpResponse>;

/** A limiter that counts requests in a window of a user or an address. */
function windowed(of: 'user' | 'address', method: 'GET' | 'POST', path: string, body?: object): Refuse {
  return async (address, name) => {
    const key = `limit:${name}:${of === 'user' ? user.id : address}`;
    await exhaust(key);
    const refused = await send(method, path, address, body);
    await service.services.redis.del(key);
    return refused;
  };
}

/** `start` refuses messages of sockets alone, see test/match/start.test.ts. */
type Name = Exclude<Limiter, 'start'>;

const LIMITERS: Record<Name, Refuse> = {
  auth: windowed('address', 'GET', '/api/auth/list-sessions'),
  guest: windowed('address', 'POST', '/api/v1/guests', {}),
  game: windowed('user', 'GET', '/api/v1/vocabulary'),
  lobby: windowed('user', 'POST', '/api/v1/lobbies'),
  export: windowed('user', 'GET', '/api/v1/account/export'),
  code_miss: windowed('user', 'GET', '/api/v1/lobbies/ZZZZZZ'),
  stranger_code_miss: windowed('address', 'GET', '/api/v1/invitations/ZZZZZZ'),
  invitation: windowed('address', 'GET', '/api/v1/invitations/ZZZZZZ'),
  async invited_address(address) {
    const client = createHttpClient(service.url, { cookie: user.cookie });
    const { code } = (await client.post('/api/v1/lobbies')).body;
    await exhaust(`limit:invited_address:${address}`);
    return send('POST', '/api/v1/guests', address, { code });
  },
  async account(address) {
    await fail(limitKey('account', subjectOf(user.email)), MAX.account);
    return send('POST', '/api/auth/sign-in/email', address, { email: user.email, password: PASSWORD });
  },
  async second_factor(address) {
    await fail(limitKey('second_factor', user.id), FIXED.second_factor);
    return send('POST', '/api/auth/two-factor/verify-totp', address, { code: '000000' });
  },
  async message(address) {
    await service.services.redis.set(limitKey('message', user.id), Date.now() + WINDOW_MS);
    return send('POST', '/api/v1/lobbies/ZZZZZZ/messages', address, { type: 'game:end' });
  },
};

it.each(Object.entries(LIMITERS) as [Name, Refuse][])('%s', async (name, refuse) => {
  const max = { ...MAX, ...FIXED, stranger_code_miss: 100 * MAX.code_miss }[name];
  const { status, headers } = await refuse(`203.0.113.${++addresses}`, name);
  expect(status).toBe(429);
  const retryAfter = headers.get('retry-after');
  expect(Number(retryAfter)).toBeGreaterThan(0);
  expect(Number(retryAfter)).toBeLessThanOrEqual(WINDOW_MS / 1000);
  expect(Object.fromEntries([...headers].filter(([name]) => /^ratelimit-/.test(name)))).toEqual({
    'ratelimit-limit': `${max}`,
    'ratelimit-remaining': '0',
    'ratelimit-reset': retryAfter,
  });
});
