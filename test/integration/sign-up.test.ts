// Several people sign up with one address, and only one of them reads its mail: whose password opens
// the account in the end. [contract 17]
import { randomUUID } from 'node:crypto';
import { createEmailVerificationToken } from 'better-auth/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Consumer } from '../../worker/consume.ts';
import { startJobs } from '../../worker/jobs.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { choosePassword } from '../support/link.ts';
import { mailsTo, mailTo } from '../support/outbox.ts';
import { startReplicas, startService, type TestService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';

const EVE = { name: 'Eve', password: 'the password of Eve' };
const ADA = { name: 'Ada', password: 'the password of Ada' };
const ENDED = '/welcome?error=INVALID_TOKEN';

let stores: TestStores;
let service: TestService;
let other: TestService;
let worker: Consumer;

beforeAll(async () => {
  stores = await startStores();
  [service, other] = (await startReplicas(stores, 2)) as [TestService, TestService];
  worker = startJobs(service.services);
});
afterAll(async () => {
  await worker.close();
  for (const replica of [service, other]) await replica.stop();
  await stores.stop();
});

const newEmail = () => `${randomUUID()}@example.com`;
const client = () => createHttpClient(service.url);
const signUp = (by: HttpClient, email: string, person: { name: string; password: string }) =>
  by.post('/api/auth/sign-up/email', { ...person, email, callbackURL: '/welcome' });
const signIn = (email: string, { password }: { password: string }) =>
  client().post('/api/auth/sign-in/email', { email, password });
const statusOf = async (email: string, person: { password: string }) =>
  (await signIn(email, person)).status;
const mail = (email: string, count: number) => mailTo(service.config, email, count);
const open = async (by: HttpClient, url: string) => {
  const opened = await by.get(url);
  return { opened, location: opened.headers.get('location') };
};

/** Signs up, and waits for the mail. @returns its link */
async function signUpAndWait(
  by: HttpClient,
  email: string,
  person: { name: string; password: string },
  count: number,
): Promise<string> {
  expect(await signUp(by, email, person)).toMatchObject({ status: 200 });
  return (await mail(email, count)).url;
}

/** Eve was first; Ada, whose address it is, has signed up after her. */
async function squatted() {
  const [email, eve, ada] = [newEmail(), client(), client()];
  const eveLink = await signUpAndWait(eve, email, EVE, 1);
  const adaLink = await signUpAndWait(ada, email, ADA, 2);
  return { email, eve, ada, eveLink, adaLink };
}

describe('where more than one password was given for an address that was never confirmed', () => {
  test('a link opened with the cookie of its sign-up confirms that password and name', async () => {
    const { email, ada, adaLink } = await squatted();
    expect((await open(ada, adaLink)).location).toBe('/welcome');
    expect(await statusOf(email, EVE)).toBe(401);
    expect(await signIn(email, ADA)).toMatchObject({
      status: 200,
      body: { user: { name: 'Ada' } },
    });
  });

  test('it does so on any replica, and when Eve was last', async () => {
    const [email, ada] = [newEmail(), client()];
    const adaLink = await signUpAndWait(ada, email, ADA, 1);
    await signUpAndWait(client(), email, EVE, 2);
    const { pathname, search } = new URL(adaLink);
    expect((await open(ada.at(other.url), `${pathname}${search}`)).location).toBe('/welcome');
    expect([await statusOf(email, EVE), await statusOf(email, ADA)]).toEqual([401, 200]);
  });

  test.for([
    ['without a cookie', async () => client()],
    [
      'with the cookie of another sign-up',
      async () => {
        const by = client();
        await signUp(by, newEmail(), ADA);
        return by;
      },
    ],
  ] as const)(
    'a link opened %s drops every password, and leads to choosing one',
    async ([, by]) => {
      const { email, adaLink } = await squatted();
      const browser = await by();
      const { opened, location } = await open(browser, adaLink);
      expect(location).toMatch(new RegExp(`^${service.url}/reset-password\\?token=`));
      expect([await statusOf(email, EVE), await statusOf(email, ADA)]).toEqual([401, 401]);
      const chosen = { password: 'a password that is chosen' };
      expect(await choosePassword(browser, opened, chosen.password)).toMatchObject({ status: 200 });
      expect(await signIn(email, chosen)).toMatchObject({
        status: 200,
        body: { user: { name: 'Player', emailVerified: true } },
      });
    },
  );

  test('Eve’s link in Ada’s browser confirms neither', async () => {
    const { email, ada, eveLink } = await squatted();
    expect((await open(ada, eveLink)).location).toMatch(/\/reset-password\?token=/);
    expect([await statusOf(email, EVE), await statusOf(email, ADA)]).toEqual([401, 401]);
  });

  test('a link that was asked for by itself answers the sign-up of the browser', async () => {
    const { email, ada } = await squatted();
    await ada.post('/api/auth/send-verification-email', { email, callbackURL: '/welcome' });
    expect((await open(ada, (await mail(email, 3)).url)).location).toBe('/welcome');
    expect([await statusOf(email, EVE), await statusOf(email, ADA)]).toEqual([401, 200]);
  });

  test('a browser that signs up again knows each of its links', async () => {
    const { email, ada, adaLink } = await squatted();
    const again = { name: 'Ada L.', password: 'another one of Ada' };
    await signUpAndWait(ada, email, again, 3);
    expect((await open(ada, adaLink)).location).toBe('/welcome');
    expect([await statusOf(email, again), await statusOf(email, ADA)]).toEqual([401, 200]);
  });

  test('however many there are, none but the reader’s own is confirmed', async () => {
    const { email, ada, adaLink } = await squatted();
    for (let index = 0; index < 22; index++)
      await signUp(client(), email, { name: 'Eve', password: `the password of Eve ${index}` });
    expect(await service.services.db.signUp.count({ where: { user: { email } } })).toBe(20);
    expect((await open(ada, adaLink)).location).toMatch(/\/reset-password\?token=/);
    for (const person of [EVE, ADA, { password: 'the password of Eve 21' }])
      expect(await statusOf(email, person)).toBe(401);
  });

  test('a sign-up in the moment of the confirmation gets nothing', async () => {
    for (let round = 0; round < 5; round++) {
      const { email, ada, adaLink } = await squatted();
      const late = { name: 'Eve', password: 'another one of Eve' };
      const [, { location }] = await Promise.all([
        signUp(createHttpClient(other.url, { origin: service.url }), email, late),
        open(ada, adaLink),
      ]);
      expect(location).toBe('/welcome');
      expect([await statusOf(email, late), await statusOf(email, ADA)]).toEqual([401, 200]);
    }
  });
});

describe('where one password was given', () => {
  test('the link confirms it wherever it is opened', async () => {
    const email = newEmail();
    const link = await signUpAndWait(client(), email, ADA, 1);
    expect((await open(client(), link)).location).toBe('/welcome');
    expect(await statusOf(email, ADA)).toBe(200);
  });

  test('in two browsers, any of the links confirms it', async () => {
    const email = newEmail();
    const link = await signUpAndWait(client(), email, ADA, 1);
    await signUpAndWait(client(), email, ADA, 2);
    expect((await open(client(), link)).location).toBe('/welcome');
    expect(await statusOf(email, ADA)).toBe(200);
  });

  test('before the service kept its sign-ups, a stranger’s later one is a second password', async () => {
    const email = newEmail();
    const { db, auth } = service.services;
    const user = await db.user.create({ data: { email, name: 'Ada' } });
    const password = await (await auth.$context).password.hash(ADA.password);
    await db.account.create({
      data: { userId: user.id, accountId: user.id, providerId: 'credential', password },
    });
    await signUpAndWait(client(), email, EVE, 1);
    const token = await createEmailVerificationToken(service.config.auth.secret, email);
    const { location } = await open(client(), `/api/auth/verify-email?token=${token}`);
    expect(location).toMatch(/\/reset-password\?token=/);
    expect([await statusOf(email, EVE), await statusOf(email, ADA)]).toEqual([401, 401]);
  });
});

describe('links', () => {
  test('all other links of an address end with its confirmation', async () => {
    const { email, ada, eve, adaLink, eveLink } = await squatted();
    await client().post('/api/auth/request-password-reset', { email, redirectTo: '/choose' });
    const { url: resetLink } = await mail(email, 3);
    const { opened } = await open(client(), resetLink);
    await open(ada, adaLink);

    expect((await open(eve, eveLink)).location).toBe(ENDED);
    expect((await open(client(), resetLink)).location).toMatch(/\/choose\?error=INVALID_TOKEN$/);
    expect(await choosePassword(client(), opened, 'a new password')).toMatchObject({
      status: 400,
      body: { code: 'INVALID_TOKEN' },
    });
    expect([await statusOf(email, EVE), await statusOf(email, ADA)]).toEqual([401, 200]);
  });

  test('the link that confirmed leads there again, and changes nothing', async () => {
    const { email, ada, adaLink } = await squatted();
    const both = await Promise.all([open(ada, adaLink), open(ada.at(other.url), adaLink)]);
    expect(both.map(({ location }) => location)).toEqual(['/welcome', '/welcome']);
    expect((await open(client(), adaLink)).location).toBe('/welcome');
    expect([await statusOf(email, EVE), await statusOf(email, ADA)]).toEqual([401, 200]);
  });

  test('a link that a mail program has opened leads to choosing until a password is chosen', async () => {
    const { email, ada, adaLink } = await squatted();
    await open(client(), adaLink);
    const { opened, location } = await open(ada, adaLink);
    expect(location).toMatch(/\/reset-password\?token=/);
    expect(await choosePassword(ada, opened, ADA.password)).toMatchObject({ status: 200 });
    expect((await open(ada, adaLink)).location).toBe('/welcome');
    expect(await statusOf(email, ADA)).toBe(200);
  });

  test('a link of an account that is gone does not confirm the next one of its address', async () => {
    const email = newEmail();
    const link = await signUpAndWait(client(), email, EVE, 1);
    await service.services.db.user.delete({ where: { email } });
    await signUpAndWait(client(), email, ADA, 2);
    expect((await open(client(), link)).location).toBe(ENDED);
    expect((await signIn(email, ADA)).body.code).toBe('EMAIL_NOT_VERIFIED');
  });
});

test('a password reset shows whose the address is, and leaves no other password or link', async () => {
  const { email, eve, eveLink } = await squatted();
  await client().post('/api/auth/request-password-reset', { email, redirectTo: '/choose' });
  const { opened } = await open(client(), (await mail(email, 3)).url);
  const chosen = { password: 'a password that is chosen' };
  expect(await choosePassword(client(), opened, chosen.password)).toMatchObject({ status: 200 });
  expect((await open(eve, eveLink)).location).toBe(ENDED);
  for (const person of [EVE, ADA]) expect(await statusOf(email, person)).toBe(401);
  expect(await statusOf(email, chosen)).toBe(200);
});

test('the cookie of a sign-up is for the browser alone, for 24 hours', async () => {
  const by = client();
  const [cookie, ...others] = (await signUp(by, newEmail(), ADA)).headers.getSetCookie();
  expect(others).toEqual([]);
  expect(cookie).toMatch(
    /^better-auth\.sign_up=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  const secure = await startService(stores, { BETTER_AUTH_URL: 'https://quiz.example' });
  try {
    const page = createHttpClient(secure.url, { origin: 'https://quiz.example' });
    expect((await signUp(page, newEmail(), ADA)).headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-better-auth\.sign_up=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  } finally {
    await secure.stop();
  }
});

test('the cookie of a sign-up signs nobody in: with it alone, a request needs no origin', async () => {
  const [email, by] = [newEmail(), client()];
  await signUp(by, email, ADA);
  expect(by.cookie()).toContain('sign_up');
  const answer = await fetch(`${service.url}/api/auth/request-password-reset`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: by.cookie() },
    body: JSON.stringify({ email }),
  });
  expect(answer.status).toBe(200);
});

test('a verified owner gets one mail about a sign-up attempt, and nothing else changes', async () => {
  const [email, ada] = [newEmail(), client()];
  await open(ada, await signUpAndWait(ada, email, ADA, 1));
  await signUp(client(), email, EVE);
  const notice = await mail(email, 2);
  expect(notice.subject).toBe('You have an account already');
  expect(notice.text).toContain('Hello Ada,');
  expect(notice.text).not.toContain('Eve');
  expect(notice.url).toBe(`${service.url}/`);
  expect(await statusOf(email, EVE)).toBe(401);
  expect(await signIn(email, ADA)).toMatchObject({ status: 200, body: { user: { name: 'Ada' } } });
  expect(mailsTo(service.config, email)).toHaveLength(2);
});
