// The service limits the emails to one recipient, whoever requests them and by which route. [contract 17]
import { expect, test } from 'vitest';
import { MAIL_QUEUE, MAIL_REQUEST_QUEUE } from '../../src/auth/mail/mail-queue.ts';
import { createQueue } from '../../src/platform/queues/queue.ts';
import { choosePassword, newEmail, signIn, signUp, useMailingReplicas } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { createHttpClient } from '../support/http-client.ts';
import { mailsTo, mailTo } from '../support/outbox.ts';
import { createSignedInUser } from '../support/users.ts';

const MAX = 3;
const ACCOUNT_MAX = 4;

const { service } = useMailingReplicas({
  count: 1,
  env: {
    RATE_LIMIT_MAIL_MAX: String(MAX),
    RATE_LIMIT_ACCOUNT_MAX: String(ACCOUNT_MAX),
    RATE_LIMIT_WINDOW_MS: '3600000',
  },
});

const client = () => createHttpClient(service.url);
const askAgain = (email: string) => client().post('/api/auth/send-verification-email', { email });
const askReset = (email: string) => client().post('/api/auth/request-password-reset', { email, redirectTo: '/choose' });

/** Waits until no mail is requested or written that is not sent; a failed attempt waits in its queue. */
async function untilEarlierMailsAreSent(): Promise<void> {
  const queues = [MAIL_REQUEST_QUEUE, MAIL_QUEUE].map((place) => createQueue(place, service.services));
  for (const queue of queues)
    await eventually(async () => {
      const counts = await queue.getJobCounts('wait', 'active', 'delayed');
      expect(Object.values(counts).every((count) => count === 0)).toBe(true);
    });
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
  const subjects = mailsTo(service.config, email).map(({ subject }) => subject);
  expect(subjects.sort()).toEqual([
    ...Array(MAX).fill('Choose a new password'),
    ...Array(MAX).fill('Confirm your email address'),
  ]);
  for (const other of [email.toUpperCase(), nobody]) expect(mailsTo(service.config, other)).toEqual([]);
  expect([signedUp.status, refused.status]).toEqual([200, 403]);
  for (const { status, body } of replies) expect([status, body.status]).toEqual([200, true]);
  expect((await signIn(client(), email)).body).toEqual(refused.body);
});

test('a stranger’s sign-ups and wrong passwords do not keep the owner from a reset mail', async () => {
  const email = newEmail();
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
  const opened = await client().get(mail.url);
  expect(await choosePassword(client(), opened, 'a better horse')).toMatchObject({ status: 200 });
  expect((await signIn(client(), email, 'a better horse')).status).toBe(200);
});

test('a mail counts once, however many attempts it takes while PostgreSQL is read-only', async () => {
  const { services, config } = service;
  const { db } = services;
  const { email } = await createSignedInUser(services);
  await db.$executeRaw`
    CREATE FUNCTION read_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'cannot execute INSERT in a read-only transaction' USING ERRCODE = '25006';
    END $$`;
  await db.$executeRaw`
    CREATE TRIGGER read_only BEFORE INSERT ON verification FOR EACH ROW EXECUTE FUNCTION read_only()`;
  expect((await askReset(email)).status).toBe(200);
  const queue = createQueue(MAIL_REQUEST_QUEUE, services);
  await eventually(async () => {
    const [delayed] = await queue.getDelayed();
    expect(delayed?.attemptsMade).toBeGreaterThanOrEqual(2);
  });
  await queue.close();
  await db.$executeRaw`DROP TRIGGER read_only ON verification`;
  for (let count = 1; count <= MAX; count++) await askReset(email);
  await untilEarlierMailsAreSent();
  const subjects = mailsTo(config, email).map(({ subject }) => subject);
  expect(subjects).toEqual(Array(MAX).fill('Choose a new password'));
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

test('a mail to an address that is not confirmed contains no text that a stranger chose', async () => {
  const email = newEmail();
  const name = 'Win at evil.com/x';
  const callbackURL = '/win-at-evil.com';
  expect(await signUp(client(), email, { name, callbackURL })).toMatchObject({ status: 200 });
  await client().post('/api/auth/send-verification-email', { email, callbackURL });
  await client().post('/api/auth/request-password-reset', { email, redirectTo: callbackURL });
  await mailTo(service.config, email, 3);
  for (const mail of mailsTo(service.config, email)) expect(JSON.stringify(mail)).not.toMatch(/win.?at|evil/i);
  const { url } = await mailTo(service.config, email, 3);
  expect((await client().get(url)).location).toMatch(/^\/win-at-evil\.com\?token=/);
});

test('a request whose mail exceeds the limit still takes effect', async () => {
  const email = newEmail();
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
