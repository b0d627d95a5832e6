// Nobody learns who has an account: whatever is sent, a known address and an unknown one are answered
// alike, in everything that a stranger can see or measure. [contract 17]
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, createHttpClient } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import { createSignedInUser } from '../support/users.ts';

const PASSWORD = 'correct horse';

let verified: string;
let unverified: string;

const { service } = useService({ RATE_LIMIT_ACCOUNT_MAX: '1000000' });
beforeAll(async () => {
  const { id, email } = await createSignedInUser(service.services);
  verified = email;
  const { internalAdapter, password } = await service.services.auth.$context;
  const hash = await password.hash('the password of the owner');
  const account = { userId: id, accountId: id, providerId: 'credential', password: hash };
  await internalAdapter.createAccount(account);
  unverified = newEmail();
  await ask('/sign-up/email', { ...SIGN_UP, password: 'the first of all' }, unverified);
});

const newEmail = () => `${randomUUID().slice(0, 12)}@example.com`;
const SIGN_UP = { name: 'Ada', password: PASSWORD };
const ask = (path: string, body: object, email: string) =>
  createHttpClient(service.url).post(`/api/auth${path}`, { ...body, email });

/** What all answers have of their own; the rest must be the same. */
const PASSING = ['date', 'x-request-id', 'set-cookie', 'ratelimit-remaining', 'ratelimit-reset'];

/** @returns all of an answer, with a word for what differs each time by intent */
function shapeOf({ status, headers, body }: Answer, email: string) {
  const stays = [...headers].filter(([name]) => !PASSING.includes(name));
  const cookies = headers.getSetCookie().map((line) => line.replace(/=[^;]+/, '=…'));
  const text = JSON.stringify(body)
    .replaceAll(email, 'EMAIL')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
  return { status, headers: stays.sort(), cookies, text };
}

const OPERATIONS = [
  ['/sign-up/email', SIGN_UP, 200],
  ['/request-password-reset', { redirectTo: '/choose' }, 200],
  ['/send-verification-email', { callbackURL: '/welcome' }, 200],
  ['/sign-in/email', { password: 'a wrong password' }, 401],
] as const;

describe.for(OPERATIONS)('%s', ([path, body, status]) => {
  test('answers alike in status, headers and body, on repetition too', async () => {
    const known = [verified, unverified];
    // The same length, since that of the body is a header.
    const unknown = `${'x'.repeat(verified.length - '@example.com'.length)}@example.com`;
    const other = `${'y'.repeat(unverified.length - '@example.com'.length)}@example.com`;
    for (let turn = 0; turn < 3; turn++)
      for (const [at, stranger] of [unknown, other].entries()) {
        const email = known[at] as string;
        const [seen, expected] = [await ask(path, body, email), await ask(path, body, stranger)];
        expect(expected.status).toBe(status);
        expect(shapeOf(seen, email)).toEqual(shapeOf(expected, stranger));
      }
  });
});

const FAULTS = [
  { name: '' },
  { name: 'Win at https://x.example' },
  { name: 7 },
  { name: 'x'.repeat(51) },
  { image: 'http://x.example/a.png' },
  { image: 7 },
  { image: null },
  { password: '1234567' },
  { password: 'x'.repeat(129) },
  { password: 'password' },
  { password: null },
  { callbackURL: 'https://evil.example/' },
  { callbackURL: 7 },
  { redirectTo: 'https://evil.example/' },
  { redirectTo: [] },
  { rememberMe: 'no' },
  { emailVerified: true, id: 'x', role: 'admin' },
];

test.for(FAULTS)('%j tells nothing either, at any of them', async (fault) => {
  for (const [path, body] of OPERATIONS)
    for (const email of [verified, unverified]) {
      const stranger = `${randomUUID().replaceAll('-', '').slice(0, email.indexOf('@'))}@example.com`;
      const [seen, expected] = [
        await ask(path, { ...body, ...fault }, email),
        await ask(path, { ...body, ...fault }, stranger),
      ];
      expect(shapeOf(seen, email), path).toEqual(shapeOf(expected, stranger));
    }
});

test('each sign-up’s reply has an id and times of its own', async () => {
  for (const email of [verified, unverified, newEmail()]) {
    const startedMs = Date.now();
    const replies = [await ask('/sign-up/email', SIGN_UP, email)];
    replies.push(await ask('/sign-up/email', SIGN_UP, email));
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

const ROUNDS = 30;
/** For a busy machine; on an idle one the medians of 200 are within 2 ms. */
const SLACK_MS = 10;

test.for(OPERATIONS)('%s takes as long', async ([path, body]) => {
  const timesMs = { known: [] as number[], unverified: [] as number[], unknown: [] as number[] };
  const timed = async (email: string, into: number[]) => {
    const startedMs = performance.now();
    await ask(path, body, email);
    into.push(performance.now() - startedMs);
  };
  await timed(newEmail(), []);
  for (let round = 0; round < ROUNDS; round++) {
    await timed(verified, timesMs.known);
    await timed(newEmail(), timesMs.unknown);
    await timed(unverified, timesMs.unverified);
  }
  const { known, unverified: notYet, unknown } = timesMs;
  const bound = SLACK_MS + 0.25 * median(unknown);
  // Of each round by itself: what else the machine does changes from one to the next.
  for (const times of [known, notYet]) {
    const moreMs = median(times.map((ms, round) => ms - (unknown[round] as number)));
    expect(Math.abs(moreMs)).toBeLessThan(bound);
  }
});

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
