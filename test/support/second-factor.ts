// Enables the second factor of an account in the way the page does.

import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { createHttpClient, type HttpClient } from './http-client.ts';
import type { TestService } from './service.ts';
import { createSignedInUser, givePassword, type TestUser } from './users.ts';

export interface SecondFactor {
  /** The TOTP secret in base 32. */
  secret: string;
  backupCodes: string[];
}

/** @param client the client of a signed-in user with this password */
export async function enableSecondFactor(client: HttpClient, password: string): Promise<SecondFactor> {
  const enabled = await client.post('/api/auth/two-factor/enable', { password });
  expect(enabled).toMatchObject({ status: 200, body: { method: 'totp' } });
  const secret = new URL(enabled.body.totpURI).searchParams.get('secret') ?? '';
  const code = totpCode(secret);
  expect((await client.post('/api/auth/two-factor/verify-totp', { code })).status).toBe(200);
  return { secret, backupCodes: enabled.body.backupCodes };
}

/** A user whose sign-ins need a code. */
export interface ProtectedUser extends SecondFactor {
  user: TestUser;
  /** Signed in, on a device that is not trusted. */
  client: HttpClient;
}

export async function createProtectedUser(
  { services, url }: Pick<TestService, 'services' | 'url'>,
  password: string,
): Promise<ProtectedUser> {
  const user = await createSignedInUser(services);
  await givePassword(services, user.id, password);
  const client = createHttpClient(url, { cookie: user.cookie });
  return { user, client, ...(await enableSecondFactor(client, password)) };
}

/** Signs in with the password. @returns the client, which still needs to send a code */
export async function startSignIn({ email }: TestUser, password: string, client: HttpClient): Promise<HttpClient> {
  const { status, body } = await client.post('/api/auth/sign-in/email', { email, password });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { twoFactorRedirect: true, twoFactorMethods: ['totp'] },
  });
  return client;
}

/** @param secret in base 32, as in the otpauth URI @returns the current six-digit code */
export function totpCode(secret: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const hash = createHmac('sha1', key).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  const number = hash.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}
