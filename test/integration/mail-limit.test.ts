// How many emails a recipient gets, whoever asks for them and however. [contract 17]
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMailingService } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { createHttpClient } from '../support/http-client.ts';
import { choosePassword } from '../support/link.ts';
import { mailsTo, mailTo } from '../support/outbox.ts';
import type { TestService } from '../support/service.ts';

const MAX = 3;
const PASSWORD = 'correct horse';

let service: TestService;

beforeAll(async () => {
  service = await startMailingService({
    RATE_LIMIT_MAIL_MAX: String(MAX),
    RATE_LIMIT_WINDOW_MS: '3600000',
  });
});
afterAll(() => service.stop());

const newEmail = () => `${randomUUID()}@example.com`;
const client = () => createHttpClient(service.url);
const signUp = (email: string, password = PASSWORD) =>
  client().post('/api/auth/sign-up/email', { name: 'Ada', email, password });
const askAgain = (email: string) => client().post('/api/auth/send-verification-email', { email });
const askReset = (email: string) =>
  client().post('/api/auth/request-password-reset', { email, redirectTo: '/choose' });
const signIn = (email: string) =>
  client().post('/api/auth/sign-in/email', { email, password: PASSWORD });

/** All wishes are looked at one after the other: when this one is sent, those before it were. */
async function untilAnswered(): Promise<void> {
  const email = newEmail();
  await signUp(email);
  await mailTo(service.config, email);
}

test('one recipient gets so many mails of all kinds in a window, and no reply tells', async () => {
  const email = newEmail();
  const replies = [await signUp(email), await signIn(email)];
  const asked = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      index % 2 ? askAgain(email.toUpperCase()) : askReset(email),
    ),
  );
  await untilAnswered();
  expect(mailsTo(service.config, email)).toHaveLength(MAX);
  expect(mailsTo(service.config, email.toUpperCase())).toEqual([]);
  expect(replies.map(({ status }) => status)).toEqual([200, 403]);
  for (const { status, body } of asked) expect([status, body.status]).toEqual([200, true]);
  expect((await signIn(email)).body).toEqual(replies[1]?.body);
});

test('a sign-up attempt counts for a verified owner', async () => {
  const email = newEmail();
  await signUp(email);
  await client().get((await mailTo(service.config, email)).url);
  for (let index = 0; index < MAX + 2; index++) await signUp(email, `another one ${index}`);
  await untilAnswered();
  expect(mailsTo(service.config, email).map(({ subject }) => subject)).toEqual([
    'Confirm your email address',
    ...Array(MAX - 1).fill('You have an account already'),
  ]);
});

test('what a request changes takes effect though no mail is sent', async () => {
  const email = newEmail();
  const browser = client();
  const account = { name: 'Ada', email, password: PASSWORD };
  await browser.post('/api/auth/sign-up/email', account);
  const { url } = await mailTo(service.config, email);
  for (let index = 0; index < MAX; index++) await askAgain(email);
  await signUp(email, 'the password of Eve');
  await untilAnswered();
  expect(mailsTo(service.config, email)).toHaveLength(MAX);

  const opened = await client().get(url);
  expect(opened.headers.get('location')).toMatch(/\/reset-password\?token=/);
  expect(await choosePassword(client(), opened, PASSWORD)).toMatchObject({ status: 200 });
  expect(await signIn(email)).toMatchObject({ status: 200 });
});

test('when the window is over, there are mails again', async () => {
  const own = await startMailingService({
    RATE_LIMIT_MAIL_MAX: '1',
    RATE_LIMIT_WINDOW_MS: '1000',
  });
  try {
    const email = newEmail();
    const by = createHttpClient(own.url);
    await by.post('/api/auth/sign-up/email', { name: 'Ada', email, password: PASSWORD });
    await eventually(
      async () => {
        await by.post('/api/auth/send-verification-email', { email });
        expect(mailsTo(own.config, email).length).toBeGreaterThan(1);
      },
      { intervalMs: 300 },
    );
  } finally {
    await own.stop();
  }
});
