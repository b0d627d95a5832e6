// A sign-in on a trusted device asks for no code until an event revokes the trust. [contract 17]
import { expect, test } from 'vitest';
import { signOutEverywhere } from '../../src/accounts/sign-out-everywhere.ts';
import { createResetToken, useTwoReplicas } from '../support/accounts.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { createProtectedUser, enableSecondFactor, type ProtectedUser, totpCode } from '../support/second-factor.ts';
import { signIn, type TestUser } from '../support/users.ts';

const PASSWORD = 'correct horse';
const NEW_PASSWORD = 'a better horse';

const { here } = useTwoReplicas();

const newOwner = () => createProtectedUser(here, PASSWORD);

/** Signs in by password. @returns whether the sign-in asks for a code */
async function asksForCode(device: HttpClient, { email }: TestUser, password = PASSWORD) {
  const answer = await device.post('/api/auth/sign-in/email', { email, password });
  expect(answer.status).toBe(200);
  return answer.body.twoFactorRedirect === true;
}

/** Signs in with a code and trusts the device. @returns the device */
async function trustDevice({ user, secret }: ProtectedUser): Promise<HttpClient> {
  const device = createHttpClient(here.url);
  expect(await asksForCode(device, user)).toBe(true);
  const body = { code: totpCode(secret), trustDevice: true };
  expect((await device.post('/api/auth/two-factor/verify-totp', body)).status).toBe(200);
  expect(await asksForCode(device, user)).toBe(false);
  return device;
}

async function reset({ user }: ProtectedUser): Promise<void> {
  const token = await createResetToken(here.services, user.id);
  const body = { token, newPassword: NEW_PASSWORD };
  expect(await createHttpClient(here.url).post('/api/auth/reset-password', body)).toMatchObject({ status: 200 });
}
async function post({ client }: ProtectedUser, path: string, body: object): Promise<void> {
  expect(await client.post(`/api/auth/${path}`, body)).toMatchObject({ status: 200 });
}
async function signOutOther(owner: ProtectedUser): Promise<void> {
  await signIn(here.services, owner.user.id);
  const { body } = await owner.client.get('/api/auth/list-sessions');
  await post(owner, 'revoke-session', { token: body.at(-1).token });
}
async function disableAndEnable(owner: ProtectedUser): Promise<void> {
  await post(owner, 'two-factor/disable', { password: PASSWORD });
  await enableSecondFactor(owner.client, PASSWORD);
}

const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
const REVOCATIONS: [string, (owner: ProtectedUser) => Promise<unknown>, password?: string][] = [
  ['a change of the password', (owner) => post(owner, 'change-password', change), NEW_PASSWORD],
  ['a reset of the password', reset, NEW_PASSWORD],
  ['the end of another session', signOutOther],
  ['the end of all other sessions', (owner) => post(owner, 'revoke-other-sessions', {})],
  ['the end of all sessions', (owner) => post(owner, 'revoke-sessions', {})],
  ['a new second factor', disableAndEnable],
  ['an operator’s sign-out of the account', (owner) => signOutByOperator(owner)],
];
const signOutByOperator = ({ user }: ProtectedUser) => signOutEverywhere(here.services, user.id);

test.for(REVOCATIONS)('%s revokes the trust of all devices', async ([, revoke, password]) => {
  const owner = await newOwner();
  const device = await trustDevice(owner);
  await revoke(owner);
  expect(await asksForCode(device, owner.user, password)).toBe(true);
});

test.for(REVOCATIONS.slice(0, 2))('%s ends sign-ins that wait for their code', async ([, revoke]) => {
  const owner = await newOwner();
  const device = createHttpClient(here.url);
  expect(await asksForCode(device, owner.user)).toBe(true);
  await revoke(owner);
  const code = totpCode(owner.secret);
  const answer = await device.post('/api/auth/two-factor/verify-totp', { code });
  expect(answer).toMatchObject({ status: 401, body: { code: 'INVALID_TWO_FACTOR_COOKIE' } });
});

test('a sign-in concurrent with a revocation leaves no device trusted', async () => {
  const owner = await newOwner();
  for (let round = 0; round < 3; round++) {
    const device = await trustDevice(owner);
    const signIns = Array.from({ length: 3 }, () => asksForCode(device, owner.user));
    await Promise.all([...signIns, signOutByOperator(owner)]);
    expect(await asksForCode(device, owner.user)).toBe(true);
  }
});

test('another user’s revocation and a refused one leave a device trusted', async () => {
  const owner = await newOwner();
  const device = await trustDevice(owner);
  const other = await newOwner();
  await post(other, 'revoke-other-sessions', {});
  await other.client.post('/api/auth/change-password', { ...change, currentPassword: 'wrong one' });
  expect(await asksForCode(device, owner.user)).toBe(false);
});
