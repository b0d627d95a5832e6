// Every limiter of the service, by its name, refuses with the headers of its own limit, whatever other limiter the
// request has passed before. A limiter that is missing here is a type error. [contract 1]
import { request as httpRequest } from 'node:http';
import { beforeAll, expect, it } from 'vitest';
import { type Limiter, limitKey, subjectOf } from '../../src/platform/redis/limits.ts';
import { createHttpClient, type HttpResponse } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import { createPerson, type TestUser } from '../support/users.ts';

const PASSWORD = 'correct horse';
const WINDOW_MS = 600_000;
/** A limit for each setting that no other has. */
const MAX = { auth: 201, guest: 202, game: 203, lobby: 204, export: 205, code_miss: 6, account: 7 };
const limits = Object.entries(MAX).map(([name, max]) => [`RATE_LIMIT_${name.toUpperCase()}_MAX`, `${max}`]);

const env = { GUESTS: 'true', TRUST_PROXY: 'loopback', RATE_LIMIT_WINDOW_MS: `${WINDOW_MS}` };
const { service } = useService({ ...env, ...Object.fromEntries(limits) }, { hasWords: true });
let user: TestUser;
let addresses = 0;
beforeAll(async () => {
  ({ user } = await createPerson(service, { password: PASSWORD }));
});

type Refused = Pick<HttpResponse, 'status' | 'headers'>;

/** Sends a request from a client address of its own. */
function send(method: string, path: string, address: string, body?: object): Promise<Refused> {
  const isGuest = path.startsWith('/api/v1/guests') || path.startsWith('/api/v1/invitations');
  const client = createHttpClient(service.url, { cookie: isGuest ? '' : user.cookie });
  return client.request(method, path, {
    headers: { 'x-forwarded-for': address, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** Uses up a window that counts requests. */
const exhaust = (key: string) => service.services.redis.set(key, 1_000_000, 'PX', WINDOW_MS);

/** Fills a set of failures. */
async function fail(key: string, times: number): Promise<void> {
  const failures = Array.from({ length: times }, (_, at) => [Date.now() + WINDOW_MS, `${at}`]);
  await service.services.redis.zadd(key, ...failures.flat());
}

/** Sends a list's body of 4 MiB without its last byte. @returns the reply to it, and what ends the request */
function beginBody(): { reply: Promise<Refused>; end: () => void } {
  const length = 4 * 1024 * 1024;
  const headers = { cookie: user.cookie, 'content-type': 'application/json', 'content-length': String(length) };
  const sent = httpRequest(new URL('/api/v1/lists', service.url), { method: 'POST', headers });
  sent.on('error', () => {});
  sent.write(Buffer.alloc(length - 1, ' '));
  const reply = new Promise<Refused>((resolve) =>
    sent.on('response', ({ statusCode = 0, headers: found }) =>
      resolve({ status: statusCode, headers: new Headers(found as Record<string, string>) }),
    ),
  );
  return { reply, end: () => sent.destroy() };
}

interface Case {
  max: number;
  /** @param name the limiter's */
  refuse(address: string, name: string): Promise<Refused>;
}

/** A limiter that counts requests in a window of a user or an address. */
const windowed = (max: number, of: 'user' | 'address', method: string, path: string, body?: object): Case => ({
  max,
  async refuse(address, name) {
    const key = `limit:${name}:${of === 'user' ? user.id : address}`;
    await exhaust(key);
    const refused = await send(method, path, address, body);
    await service.services.redis.del(key);
    return refused;
  },
});

/** Makes each limiter and the budget of bodies refuse a request. `start` refuses messages of sockets alone, see start-limit.test.ts. */
const LIMITERS: Record<Exclude<Limiter, 'start'> | 'body', Case> = {
  auth: windowed(MAX.auth, 'address', 'GET', '/api/auth/list-sessions'),
  guest: windowed(MAX.guest, 'address', 'POST', '/api/v1/guests', {}),
  game: windowed(MAX.game, 'user', 'GET', '/api/v1/vocabulary'),
  lobby: windowed(MAX.lobby, 'user', 'POST', '/api/v1/lobbies'),
  export: windowed(MAX.export, 'user', 'GET', '/api/v1/account/export'),
  code_miss: windowed(MAX.code_miss, 'user', 'GET', '/api/v1/lobbies/ZZZZZZ'),
  stranger_code_miss: windowed(100 * MAX.code_miss, 'address', 'GET', '/api/v1/invitations/ZZZZZZ'),
  invitation: windowed(2000, 'address', 'GET', '/api/v1/invitations/ZZZZZZ'),
  invited_address: {
    max: 2000,
    async refuse(address) {
      const client = createHttpClient(service.url, { cookie: user.cookie });
      const { code } = (await client.post('/api/v1/lobbies')).body;
      await exhaust(`limit:invited_address:${address}`);
      return send('POST', '/api/v1/guests', address, { code });
    },
  },
  account: {
    max: MAX.account,
    async refuse(address) {
      await fail(limitKey('account', subjectOf(user.email)), MAX.account);
      return send('POST', '/api/auth/sign-in/email', address, { email: user.email, password: PASSWORD });
    },
  },
  second_factor: {
    max: 10,
    async refuse(address) {
      await fail(limitKey('second_factor', user.id), 10);
      return send('POST', '/api/auth/two-factor/verify-totp', address, { code: '000000' });
    },
  },
  message: {
    max: 40,
    async refuse(address) {
      await service.services.redis.set(limitKey('message', user.id), Date.now() + WINDOW_MS);
      return send('POST', '/api/v1/lobbies/ZZZZZZ/messages', address, { type: 'game:end' });
    },
  },
  body: {
    max: 8 * 1024 * 1024,
    async refuse() {
      const bodies = [beginBody(), beginBody(), beginBody()];
      const refused = await Promise.race(bodies.map(({ reply }) => reply));
      for (const { end } of bodies) end();
      return refused;
    },
  },
};

it.each(Object.entries(LIMITERS))('%s', async (name, { max, refuse }) => {
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
