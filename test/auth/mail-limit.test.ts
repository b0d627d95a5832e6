// The service limits the emails to one recipient, whoever requests them and by which route. [contract 17]
import { test as base, expect } from 'vitest';
import { MAIL_QUEUE, MAIL_REQUEST_QUEUE } from '../../src/auth/mail/mail-queue.ts';
import { createQueue } from '../../src/platform/queues/queue.ts';
import { newEmail, resetPassword, signIn, signUp, tokenIn, useMailingReplicas } from '../support/accounts.ts';
import { mailsTo, mailTo } from '../support/outbox.ts';
import { withTrigger } from '../support/sql.ts';
import { createSignedInUser } from '../support/users.ts';

const MAX = 3;
const ACCOUNT_MAX = 4;

const LIMITS = { RATE_LIMIT_MAIL_MAX: `${MAX}`, RATE_LIMIT_ACCOUNT_MAX: `${ACCOUNT_MAX}` };
const { service, client } = useMailingReplicas({ count: 1, env: { ...LIMITS, RATE_LIMIT_WINDOW_MS: '3600000' } });

const test = base.extend('email', newEmail);
const askAgain = (email: string) => client().post('/api/auth/send-verification-email', { email });
const askReset = (email: string) => client().post('/api/auth/request-password-reset', { email, redirectTo: '/choose' });
const subjectsTo = (email: string) => mailsTo(service.config, email).map(({ subject }) => subject);

/** Waits until no mail is requested or written that is not sent; a failed attempt waits in its queue. */
async function untilEarlierMailsAreSent(): Promise<void> {
  const queues = [MAIL_REQUEST_QUEUE, MAIL_QUEUE].map((place) => createQueue(place, service.services));
  for (const queue of queues) await expect.poll(() => queue.getJobCountByTypes('wait', 'active', 'delayed')).toBe(0);
  await Promise.all(queues.map((queue) => queue.close()));
}

test('limits the mails to one recipient in a window, and counts those of a password reset separately', async () => {
  const email = newEmail();
  const [signedUp, refused, nobody] = [await signUp(client(), email), await signIn(client(), email), newEmail()];
  for (const ask of [askAgain, askReset]) await ask(nobody);
  const replies = await Promise.all(
    Array.from({ length: 4 * MAX }, (_, index) => (index % 2 ? askAgain(email.toUpperCase()) : askReset(email))),
  );
  await untilEarlierMailsAreSent();
  const each = ['Choose a new password', 'Confirm your email address'];
  expect(subjectsTo(email).sort()).toEqual(each.flatMap((subject) => Array(MAX).fill(subject)));
  for (const other of [email.toUpperCase(), nobody]) expect(mailsTo(service.config, other)).toEqual([]);
  expect([signedUp.status, refused.status]).toEqual([200, 403]);
  for (const { status, body } of replies) expect([status, body.status]).toEqual([200, true]);
  expect((await signIn(client(), email)).body).toEqual(refused.body);
});

test('a stranger’s sign-ups and wrong passwords do not keep the owner from a reset mail', async ({ email }) => {
  const owner = client();
  await signUp(owner, email);
  await owner.get((await mailTo(service.config, email)).url);
  for (let index = 0; index < 2 * MAX; index++)
    await signUp(client(), email, { password: `a password of Eve ${index}` });
  for (let index = 0; index <= ACCOUNT_MAX; index++) await signIn(client(), email, `guess ${index}`);
  expect((await signIn(client(), email)).status).toBe(429);
  await askReset(email);
  const mail = await mailTo(service.config, email, MAX + 1);
  expect(mail.subject).toBe('Choose a new password');
  const token = tokenIn(await client().get(mail.url));
  expect(await resetPassword(client(), token, 'a better horse')).toMatchObject({ status: 200 });
  expect((await signIn(client(), email, 'a better horse')).status).toBe(200);
});

test('a mail counts once, however many attempts it takes while PostgreSQL is read-only', async () => {
  const { email } = await createSignedInUser(service.services);
  const body = `RAISE 'cannot execute INSERT in a read-only transaction' USING ERRCODE = '25006';`;
  await withTrigger(service.services.db, { when: 'BEFORE INSERT ON verification', body }, async () => {
    expect((await askReset(email)).status).toBe(200);
    const queue = createQueue(MAIL_REQUEST_QUEUE, service.services);
    await expect.poll(async () => (await queue.getDelayed())[0]?.attemptsMade).toBeGreaterThanOrEqual(2);
    await queue.close();
  });
  for (let count = 1; count <= MAX; count++) await askReset(email);
  await untilEarlierMailsAreSent();
  expect(subjectsTo(email)).toEqual(Array(MAX).fill('Choose a new password'));
});

test('an address with +… is counted with the mailbox that it leads to', async () => {
  const [local, domain] = newEmail().split('@');
  const tagged = Array.from({ length: MAX + 2 }, (_, index) => `${local}+${index}+x@${domain}`);
  for (const email of [...tagged, `${local}@${domain}`]) await signUp(client(), email);
  await untilEarlierMailsAreSent();
  const counts = tagged.map((email) => mailsTo(service.config, email).length);
  expect(counts).toEqual([1, 1, 1, 0, 0]);
  expect(mailsTo(service.config, `${local}@${domain}`)).toEqual([]);
});

test('a mail to an address that is not confirmed contains no text that a stranger chose', async ({ email }) => {
  const name = 'Win at evil.com/x';
  const callbackURL = '/win-at-evil.com';
  expect(await signUp(client(), email, { name, callbackURL })).toMatchObject({ status: 200 });
  await client().post('/api/auth/send-verification-email', { email, callbackURL });
  await client().post('/api/auth/request-password-reset', { email, redirectTo: callbackURL });
  const { url } = await mailTo(service.config, email, 3);
  for (const mail of mailsTo(service.config, email)) expect(JSON.stringify(mail)).not.toMatch(/win.?at|evil/i);
  expect((await client().get(url)).location).toMatch(/^\/win-at-evil\.com\?token=/);
});

test('a request whose mail exceeds the limit still takes effect', async ({ email }) => {
  const browser = client();
  await signUp(browser, email);
  const { url } = await mailTo(service.config, email);
  for (let index = 0; index < MAX; index++) await askAgain(email);
  await signUp(client(), email, { password: 'the password of Eve' });
  await untilEarlierMailsAreSent();
  expect(mailsTo(service.config, email)).toHaveLength(MAX);

  await browser.get(url);
  expect(await signIn(client(), email)).toMatchObject({ status: 200 });
});
