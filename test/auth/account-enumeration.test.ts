// No one learns which addresses have an account: the replies to a known address and an unknown one are alike
// in all that a stranger sees. Their times are compared in test/system. [contract 17]
import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { newEmail, PASSWORD } from '../support/accounts.ts';
import { createHttpClient, type HttpResponse } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import { createPerson } from '../support/users.ts';

let verified: string;
let unverified: string;

const { service } = useService({ RATE_LIMIT_ACCOUNT_MAX: '1000000' });
beforeAll(async () => {
  verified = (await createPerson(service, { password: 'the password of the owner' })).user.email;
  unverified = newEmail();
  await ask('/sign-up/email', { ...SIGN_UP, password: 'the first of all' }, unverified);
});

const SIGN_UP = { name: 'Ada', password: PASSWORD };
const ask = (path: string, body: object, email: string) =>
  createHttpClient(service.url).post(`/api/auth${path}`, { ...body, email });

/** These headers differ between any two replies; all others must be the same. */
const VARYING_HEADERS = ['date', 'x-request-id', 'set-cookie', 'ratelimit-remaining', 'ratelimit-reset'];

/** @returns the whole reply, with placeholders for what differs by intent */
function shapeOf({ status, headers, body }: HttpResponse, email: string) {
  const stays = [...headers].filter(([name]) => !VARYING_HEADERS.includes(name));
  const cookies = headers.getSetCookie().map((line) => line.replace(/=[^;]+/, '=…'));
  const text = JSON.stringify(body)
    .replaceAll(email, 'EMAIL')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
  return { status, headers: stays.sort(), cookies, text };
}

/** @returns an address without an account, of the same length, because the length of the body is a header */
const strangerTo = (email: string) => `${randomBytes(32).toString('hex')}@example.com`.slice(-email.length);

/** Asks for a known address and for a stranger's. */
async function expectAlike(path: string, body: object, email: string, stranger = strangerTo(email)): Promise<number> {
  const [seen, expected] = [await ask(path, body, email), await ask(path, body, stranger)];
  expect(shapeOf(seen, email), path).toEqual(shapeOf(expected, stranger));
  return expected.status;
}

const OPERATIONS = [
  ['/sign-up/email', SIGN_UP, 200],
  ['/request-password-reset', { redirectTo: '/choose' }, 200],
  ['/send-verification-email', { callbackURL: '/welcome' }, 200],
  ['/sign-in/email', { password: 'a wrong password' }, 401],
] as const;

test.for(OPERATIONS)(
  '%s answers alike in status, headers and body, on repetition too',
  async ([path, body, status]) => {
    for (const email of [verified, unverified]) {
      const stranger = strangerTo(email);
      for (let turn = 0; turn < 3; turn++) expect(await expectAlike(path, body, email, stranger)).toBe(status);
    }
  },
);

const FAULTS = [
  { name: 'Win at https://x.example' },
  { name: 7 },
  { image: 'http://x.example/a.png' },
  { password: '1234567' },
  { password: 'password' },
  { callbackURL: 'https://evil.example/' },
  { redirectTo: [] },
  { emailVerified: true, id: 'x', role: 'admin' },
];

test.for(FAULTS)('the invalid input %j reveals nothing at any of the operations', async (fault) => {
  for (const [path, body] of OPERATIONS)
    for (const email of [verified, unverified]) await expectAlike(path, { ...body, ...fault }, email);
});

test('each sign-up’s reply has an id and times of its own', async () => {
  for (const email of [verified, unverified, newEmail()]) {
    const startedMs = Date.now();
    const replies = [await ask('/sign-up/email', SIGN_UP, email), await ask('/sign-up/email', SIGN_UP, email)];
    const users = replies.map(({ body }) => body.user);
    const owner = await service.services.db.user.findUnique({ where: { email } });
    expect(new Set([owner?.id, ...users.map(({ id }) => id)]).size).toBe(3);
    for (const { createdAt, updatedAt } of users) {
      expect(createdAt).toBe(updatedAt);
      expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(startedMs);
      expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.now());
    }
  }
});
