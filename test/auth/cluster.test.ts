// Accounts work on a Redis Cluster: each command has one key, and the keys of a script share a slot.
// [contract 8]
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startJobs } from '../../worker/jobs.ts';
import { createHttpClient } from '../support/http-client.ts';
import { mailTo } from '../support/outbox.ts';
import { useService } from '../support/service.ts';

const { service } = useService();

test('signing up, in and out works on a Redis Cluster', async () => {
  const worker = startJobs(service.services);
  try {
    const browser = createHttpClient(service.url);
    const account = { email: `${randomUUID()}@example.com`, password: 'correct horse' };
    const signedUp = await browser.post('/api/auth/sign-up/email', { name: 'Ada', ...account });
    expect(signedUp).toMatchObject({ status: 200 });
    await browser.get((await mailTo(service.config, account.email)).url);
    expect(await browser.post('/api/auth/sign-in/email', account)).toMatchObject({ status: 200 });
    const cookie = browser.cookie();
    const { userSessions } = service.services;
    expect(await userSessions.findUser({ cookie })).toMatchObject({ email: account.email });
    expect(await browser.post('/api/auth/sign-out', {})).toMatchObject({ status: 200 });
    expect(await userSessions.findUser({ cookie })).toBeNull();
  } finally {
    await worker.close();
  }
});
