// Signed-in users without a password: hashing one on purpose takes long. Everything else is as after
// a real sign-in.
import { randomBytes } from 'node:crypto';
import { signSessionToken } from '../../src/auth/session-cookie.ts';
import type { Services } from '../../src/services.ts';

export interface TestUser {
  id: string;
  name: string;
  email: string;
  /** For the Cookie header of requests and of the WebSocket upgrade. */
  cookie: string;
}

/** Adds a user with a verified address and signs them in. */
export async function createSignedInUser(
  { auth }: Pick<Services, 'auth'>,
  options: { name?: string; email?: string } = {},
): Promise<TestUser> {
  const unique = randomBytes(6).toString('hex');
  const { name = `User ${unique}`, email = `${unique}@example.com` } = options;
  const { internalAdapter } = await auth.$context;
  const user = await internalAdapter.createUser(
    { name, email, emailVerified: true },
    { method: 'email-password' },
  );
  return { id: user.id, name, email: user.email, cookie: await signIn({ auth }, user.id) };
}

/** Adds one more session of a user. @returns its cookie */
export async function signIn({ auth }: Pick<Services, 'auth'>, userId: string): Promise<string> {
  const { internalAdapter, authCookies, secret } = await auth.$context;
  const { token } = await internalAdapter.createSession(userId);
  return `${authCookies.sessionToken.name}=${signSessionToken(token, secret)}`;
}

/** Lets the user sign in with this password as well. */
export async function givePassword(
  { auth }: Pick<Services, 'auth'>,
  userId: string,
  password: string,
): Promise<void> {
  const { internalAdapter, password: hasher } = await auth.$context;
  await internalAdapter.linkAccount({
    userId,
    providerId: 'credential',
    accountId: userId,
    password: await hasher.hash(password),
  });
}
