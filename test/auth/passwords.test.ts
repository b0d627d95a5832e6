// A user replaces a forgotten password by a link, and changes a known one. [contract 6]
import { randomUUID } from 'node:crypto';
import type { Job } from 'bullmq';
import { describe, expect, test } from 'vitest';
import { MAIL_QUEUE } from '../../src/auth/mail/mail-queue.ts';
import { createPasswordHash } from '../../src/auth/password-hash.ts';
import { createQueue, sharedPlace } from '../../src/platform/queues/queue.ts';
import { answerRequest } from '../../worker/mail.ts';
import { newEmail, PASSWORD, signIn, useEmailAccounts } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { mailsTo, mailTo } from '../support/outbox.ts';

const { client, service, signedIn } = useEmailAccounts();

describe('a forgotten password', () => {
  const ask = (email: string, redirectTo = '/choose') =>
    client().post('/api/auth/request-password-reset', { email, redirectTo });

  test('is replaced by a link in an email, once, and all sessions end', async () => {
    const email = newEmail();
    const browser = await signedIn(email);
    expect(await ask(email)).toMatchObject({ status: 200 });
    const { url } = await mailTo(service.config, email, 2);

    const target = new URL((await client().get(url)).headers.get('location') ?? '', service.url);
    expect(target.pathname).toBe('/choose');
    const token = target.searchParams.get('token');
    const reset = { newPassword: 'a new password', token };
    expect(await client().post('/api/auth/reset-password', reset)).toMatchObject({ status: 200 });

    expect((await browser.get('/api/auth/get-session')).body).toBeNull();
    expect(await signIn(client(), email)).toMatchObject({ status: 401 });
    expect(await signIn(client(), email, 'a new password')).toMatchObject({ status: 200 });
    const twice = await client().post('/api/auth/reset-password', reset);
    expect(twice).toMatchObject({ status: 400, body: { code: 'INVALID_TOKEN' } });
  });

  test('gets the same link in an email that a worker writes again after a crash', async () => {
    const { services, config } = service;
    const email = newEmail();
    await signedIn(email);
    const requests = createQueue(sharedPlace('elsewhere'), services);
    const mails = createQueue(MAIL_QUEUE, services);
    const asked = { kind: 'password-reset', to: email };
    const { id = '' } = await requests.add(asked.kind, asked, { jobId: randomUUID() });
    for (const count of [2, 3]) {
      await answerRequest(services)((await requests.getJob(id)) as Job);
      await mailTo(config, email, count);
      await eventually(async () => expect(await mails.getJob(id)).toBeUndefined());
    }
    await Promise.all([requests.close(), mails.close()]);
    const [, first, again] = mailsTo(config, email);
    expect(again).toEqual(first);
  });

  test('is not replaced by a forged link', async () => {
    const followed = await client().get('/api/auth/reset-password/forged?callbackURL=%2Fchoose');
    expect(followed.headers.get('location')).toMatch(/error=INVALID_TOKEN/);
    const body = { newPassword: 'a new password', token: 'forged' };
    expect(await client().post('/api/auth/reset-password', body)).toMatchObject({ status: 400 });
  });
});

test('a sign-in hashes a password anew whose hash is cheaper than the present cost', async () => {
  const email = newEmail();
  await signedIn(email);
  const { db } = service.services;
  const { id: userId } = await db.user.findUniqueOrThrow({ where: { email } });
  const stored = async () => (await db.account.findFirstOrThrow({ where: { userId } })).password;
  const password = await createPasswordHash(4).hash(PASSWORD);
  await db.account.updateMany({ where: { userId }, data: { password } });
  expect(await signIn(client(), email, 'wrong password')).toMatchObject({ status: 401 });
  expect(await stored()).toBe(password);
  expect(await signIn(client(), email)).toMatchObject({ status: 200 });
  expect(await stored()).toMatch(/^\$scrypt\$ln=4,/);
  expect(await signIn(client(), email)).toMatchObject({ status: 200 });
});
