// Second factors survive the rotation of the secret that the runbook describes. [contract 8, 17]
import { createEmailVerificationToken } from 'better-auth/api';
import { afterAll, describe, expect, test } from 'vitest';
import { signIn as enter, newEmail, PASSWORD, signUp } from '../support/accounts.ts';
import { createHttpClient } from '../support/http-client.ts';
import { runbook } from '../support/manifests.ts';
import { createProtectedUser, type ProtectedUser, sendCode, startSignIn } from '../support/second-factor.ts';
import { startService, type TestService } from '../support/service.ts';
import { useStores } from '../support/stores.ts';
import { createSignedInUser, signIn } from '../support/users.ts';

const [FIRST, SECOND, THIRD] = ['first', 'second', 'third'].map((name) =>
  `the-${name}-secret-of-a-rotation`.padEnd(44, '='),
);

const stores = useStores();
let service: TestService;
afterAll(() => service.stop());

let ada: ProtectedUser;
let ben: ProtectedUser;

/** Restarts the service, as a rollout does. */
async function rollOut(env: NodeJS.ProcessEnv): Promise<void> {
  await service?.stop();
  service = await startService(stores, env);
}
const browser = (cookie = '') => createHttpClient(service.url, { cookie });
const enterPassword = ({ user }: ProtectedUser) => startSignIn(user, browser());
async function signsInByApp(account: ProtectedUser): Promise<void> {
  const answer = await sendCode(await enterPassword(account), account.secret);
  expect(answer).toMatchObject({ status: 200, body: { user: { email: account.user.email } } });
}
async function signsInByBackupCode(account: ProtectedUser): Promise<void> {
  const code = account.backupCodes.shift();
  const use = async () => (await enterPassword(account)).post('/api/auth/two-factor/verify-backup-code', { code });
  expect(await use()).toMatchObject({ status: 200, body: { user: { email: account.user.email } } });
  expect((await use()).status).toBe(401);
}
/** @returns what the runbook's query counts: second factors that still need another secret */
async function countOfOthers(version: number): Promise<number> {
  const query = /^ *SELECT count\(\*\) FROM two_factor[^;]*/m.exec(runbook)?.[0] ?? '';
  const [row] = await service.services.db.$queryRawUnsafe<{ count: bigint }[]>(
    query.replaceAll('$ba$2$', `$ba$${version}$`),
  );
  return Number(row?.count);
}

describe('the rotation of the runbook', () => {
  test('starts with second factors that were stored without a version', async () => {
    await rollOut({ BETTER_AUTH_SECRET: FIRST });
    ada = await createProtectedUser(service);
    ben = await createProtectedUser(service);
    await signsInByApp(ada);
    await signsInByBackupCode(ben);
  });

  test('signs nobody out by its first step, which adds the new secret behind the old one', async () => {
    const { cookie } = await createSignedInUser(service.services);
    await rollOut({ BETTER_AUTH_SECRET: FIRST, BETTER_AUTH_SECRETS: `1:${FIRST},2:${SECOND}` });
    expect(await service.services.userSessions.findUser({ cookie })).not.toBeNull();
  });

  test('signs everybody out by its second step, which puts the new secret first, and apps and backup codes work', async () => {
    const client = await enterPassword(ada);
    await sendCode(client, ada.secret);
    const cookie = { cookie: client.cookie() };
    expect(await service.services.userSessions.findUser(cookie)).not.toBeNull();
    await rollOut({ BETTER_AUTH_SECRET: FIRST, BETTER_AUTH_SECRETS: `2:${SECOND},1:${FIRST}` });
    expect(await service.services.userSessions.findUser(cookie)).toBeNull();
    expect(await countOfOthers(2)).toBe(2);
    await signsInByApp(ada);
    await signsInByBackupCode(ben);
    expect(await countOfOthers(2)).toBe(0);
  });

  test('removes the old secret in its last step, and second factors used meanwhile survive the next rotation', async () => {
    await rollOut({ BETTER_AUTH_SECRETS: `2:${SECOND},3:${THIRD}` });
    await signsInByBackupCode(ada);
    await rollOut({ BETTER_AUTH_SECRETS: `3:${THIRD},2:${SECOND}` });
    await signsInByApp(ben);
    await signsInByBackupCode(ben);
    await signsInByApp(ada);
    await signsInByBackupCode(ada);
    expect(await countOfOthers(3)).toBe(0);
    await rollOut({ BETTER_AUTH_SECRETS: `3:${THIRD}` });
    await signsInByApp(ada);
    await signsInByApp(ben);
  });
});

test('a second factor whose secret was removed is refused as unreadable, and is not locked', async () => {
  const unreadable = { status: 403, body: { code: 'SECOND_FACTOR_UNREADABLE' } };
  const password = { password: PASSWORD };
  await rollOut({ BETTER_AUTH_SECRET: FIRST, BETTER_AUTH_SECRETS: '' });
  const account = await createProtectedUser(service);
  const signedIn = async () => browser(await signIn(service.services, account.user.id));
  for (const env of [{ BETTER_AUTH_SECRET: SECOND }, { BETTER_AUTH_SECRETS: `2:${SECOND}` }]) {
    await rollOut(env);
    const client = await enterPassword(account);
    for (let count = 0; count < 12; count++) {
      const refused = await sendCode(client, account.secret);
      expect(refused).toMatchObject(unreadable);
      expect(Object.keys(refused.body).sort()).toEqual(['code', 'message']);
    }
    const [code] = account.backupCodes;
    expect(await client.post('/api/auth/two-factor/verify-backup-code', { code })).toMatchObject(unreadable);
    const uri = await (await signedIn()).post('/api/auth/two-factor/get-totp-uri', password);
    expect(uri).toMatchObject(unreadable);
  }
  // A user who is still signed in can turn it off.
  expect((await (await signedIn()).post('/api/auth/two-factor/disable', password)).status).toBe(200);
});

test('the password of a sign-up before a rotation confirms its address by a new link', async () => {
  await rollOut({ BETTER_AUTH_SECRET: FIRST, BETTER_AUTH_SECRETS: '' });
  const email = newEmail();
  expect((await signUp(browser(), email)).status).toBe(200);
  await rollOut({ BETTER_AUTH_SECRET: FIRST, BETTER_AUTH_SECRETS: `2:${SECOND},1:${FIRST}` });
  const { db, config } = service.services;
  const { id: userId } = await db.user.findUniqueOrThrow({ where: { email } });
  const token = await createEmailVerificationToken(config.auth.secret, email, undefined, 60, { userId });
  const confirm = (password: string) => browser().post('/api/auth/verify-email/confirm', { token, password });
  expect((await confirm('another horse')).status).toBe(401);
  // A user may submit the form twice.
  for (let count = 0; count < 2; count++) expect((await confirm(PASSWORD)).status).toBe(200);
  expect(await enter(browser(), email)).toMatchObject({ status: 200, body: { user: { name: 'Ada' } } });
});
