// Accounts work on a Redis Cluster: each command has one key, and the keys of a script share a slot.
// [contract 8]
import { expect, test } from 'vitest';
import { newEmail, useEmailAccounts } from '../support/accounts.ts';

const { service, signedIn } = useEmailAccounts();

test('signing up, in and out works on a Redis Cluster', async () => {
  const email = newEmail();
  const browser = await signedIn(email);
  const cookie = browser.cookie();
  const { userSessions } = service.services;
  expect(await userSessions.findUser({ cookie })).toMatchObject({ email });
  expect(await browser.post('/api/auth/sign-out', {})).toMatchObject({ status: 200 });
  expect(await userSessions.findUser({ cookie })).toBeNull();
});
