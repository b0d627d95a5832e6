// Every limiter of the service, by its name, refuses with the headers of its own limit, whatever other limiter the
// request has passed before. A limiter that is missing here is a type error. [contract 1]
import { request as httpRequest } from 'node:http';
import { beforeAll, expect, it } from 'vitest';
import { type Limiter, limitKey, subjectOf } from '../../src/platform/redis/limits.ts';
import { createHttpClient } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import { createSignedInUser, givePassword, type TestUser } from '../support/users.ts';

const PASSWORD = 'correct horse';
const WINDOW_MS = 600_000;
/** A limit for each setting that no other has. */
const MAX = { auth: 201, guest: 202, game: 203, lobby: 204, export: 205, miss: 6, account: 7 };

const { service } = useService(
  {
    GUESTS: 'true',
    TRUST_PROXY: 'loopback',
    RATE_LIMIT_WINDOW_MS: `${WINDOW_MS}`,
    RATE_LIMIT_AUTH_MAX: `${MAX.auth}`,
    RATE_LIMIT_GUEST_MAX: `${MAX.guest}`,
    RATE_LIMIT_GAME_MAX: `${MAX.game}`,
    RATE_LIMIT_LOBBY_MAX: `${MAX.lobby}`,
    RATE_LIMIT_EXPORT_MAX: `${MAX.export}`,
    RATE_LIMIT_CODE_MISS_MAX: `${MAX.miss}`,
    RATE_LIMIT_ACCOUNT_MAX: `${MAX.account}`,
  },
  { hasWords: true },
);
let user: TestUser;
let addresses = 0;
beforeAll(async () => {
  user = await createSignedInUser(service.services);
  await givePassword(service.services, user.id, PASSWORD);
});
interface Refused {
  status: number;
  headers: Headers;
}

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
  const headers = {
    cookie: user.cookie,
    'content-type': 'application/json',
    'content-length': String(4 * 1024 * 1024),
  };
  const sent = httpRequest(new URL('/api/v1/lists', service.url), { method: 'POST', headers });
  sent.on('error', () => {});
  sent.write(Buffer.alloc(4 * 1024 * 1024 - 1, ' '));
  const reply = new Promise<Refused>((resolve) =>
    sent.on('response', ({ statusCode = 0, headers: found }) =>
      resolve({ status: statusCode, headers: new Headers(found as Record<string, string>) }),
    ),
  );
  return { reply, end: () => sent.destroy() };
}

/** Makes each limiter and the budget of bodies refuse a request. `start` refuses messages of sockets alone, see start-limit.test.ts. */
const LIMITERS: Record<
  Exclude<Limiter, 'start'> | 'body',
  { max: number; refuse: (address: string) => Promise<Refused> }
> = {
  auth: {
    max: MAX.auth,
    async refuse(address) {
      await exhaust(`limit:auth:${address}`);
      return send('GET', '/api/auth/list-sessions', address);
    },
  },
  guest: {
    max: MAX.guest,
    async refuse(address) {
      await exhaust(`limit:guest:${address}`);
      return send('POST', '/api/v1/guests', address, {});
    },
  },
  game: {
    max: MAX.game,
    async refuse(address) {
      await exhaust(`limit:game:${user.id}`);
      const refused = await send('GET', '/api/v1/vocabulary', address);
      await service.services.redis.del(`limit:game:${user.id}`);
      return refused;
    },
  },
  lobby: {
    max: MAX.lobby,
    async refuse(address) {
      await exhaust(`limit:lobby:${user.id}`);
      const refused = await send('POST', '/api/v1/lobbies', address);
      await service.services.redis.del(`limit:lobby:${user.id}`);
      return refused;
    },
  },
  export: {
    max: MAX.export,
    async refuse(address) {
      await exhaust(`limit:export:${user.id}`);
      return send('GET', '/api/v1/account/export', address);
    },
  },
  account: {
    max: MAX.account,
    async refuse(address) {
      await fail(limitKey('account', subjectOf(user.email)), MAX.account);
      const credentials = { email: user.email, password: PASSWORD };
      return send('POST', '/api/auth/sign-in/email', address, credentials);
    },
  },
  second_factor: {
    max: 10,
    async refuse(address) {
      await fail(limitKey('second_factor', user.id), 10);
      return send('POST', '/api/auth/two-factor/verify-totp', address, { code: '000000' });
    },
  },
  code_miss: {
    max: MAX.miss,
    async refuse(address) {
      await exhaust(`limit:code_miss:${user.id}`);
      return send('GET', '/api/v1/lobbies/ZZZZZZ', address);
    },
  },
  stranger_code_miss: {
    max: 100 * MAX.miss,
    async refuse(address) {
      await exhaust(`limit:stranger_code_miss:${address}`);
      return send('GET', '/api/v1/invitations/ZZZZZZ', address);
    },
  },
  message: {
    max: 40,
    async refuse(address) {
      await service.services.redis.set(limitKey('message', user.id), Date.now() + WINDOW_MS);
      return send('POST', '/api/v1/lobbies/ZZZZZZ/messages', address, { type: 'game:end' });
    },
  },
  invitation: {
    max: 2000,
    async refuse(address) {
      await exhaust(`limit:invitation:${address}`);
      return send('GET', '/api/v1/invitations/ZZZZZZ', address);
    },
  },
  invited_address: {
    max: 2000,
    async refuse(address) {
      const client = createHttpClient(service.url, { cookie: user.cookie });
      const { code } = (await client.post('/api/v1/lobbies')).body;
      await exhaust(`limit:invited_address:${address}`);
      return send('POST', '/api/v1/guests', address, { code });
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

it.each(Object.entries(LIMITERS))('%s', async (_, { max, refuse }) => {
  const { status, headers } = await refuse(`203.0.113.${++addresses}`);
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
