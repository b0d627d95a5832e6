// Creates signed-in users without a password, since hashing is slow by design. Everything else is as after a
// real sign-in.
import { createHmac, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Services } from '../../src/services.ts';
import { createHttpClient } from './http-client.ts';
import type { TestService } from './service.ts';

/** A user with the Cookie header of requests and of WebSocket upgrades. */
export type TestUser = { id: string; name: string; email: string; cookie: string };

/** Creates a user with a verified email address and a session. */
export async function createSignedInUser(
  { auth }: Pick<Services, 'auth'>,
  options: { name?: string; email?: string } = {},
): Promise<TestUser> {
  const unique = randomBytes(6).toString('hex');
  const { name = `User ${unique}`, email = `${unique}@example.com` } = options;
  const { internalAdapter } = await auth.$context;
  const user = await internalAdapter.createUser({ name, email, emailVerified: true }, { method: 'email-password' });
  return { id: user.id, name, email: user.email, cookie: await signIn({ auth }, user.id) };
}

export type Person = Awaited<ReturnType<typeof createPerson>>;

/** Creates a signed-in user at a replica, who can also sign in by the password if one is given. */
export async function createPerson(
  { services, url }: Pick<TestService, 'services' | 'url'>,
  { password, ...options }: { name?: string; password?: string } = {},
) {
  const user = await createSignedInUser(services, options);
  if (password !== undefined) await givePassword(services, user.id, password);
  return { user, client: createHttpClient(url, { cookie: user.cookie }) };
}

/** Creates a further session of a user. @returns its cookie */
export async function signIn({ auth }: Pick<Services, 'auth'>, userId: string): Promise<string> {
  const { internalAdapter, authCookies, secret } = await auth.$context;
  const { token } = await internalAdapter.createSession(userId);
  const signature = createHmac('sha256', secret).update(token).digest('base64');
  return `${authCookies.sessionToken.name}=${encodeURIComponent(`${token}.${signature}`)}`;
}

/** Makes a sign-in longer ago than what needs a recent one accepts. */
export async function makeSessionOld({ db, redis }: Pick<Services, 'db' | 'redis'>, { cookie }: TestUser) {
  const token = sessionTokenOf(cookie);
  await db.session.update({ where: { token }, data: { createdAt: new Date(Date.now() - 16 * 60_000) } });
  await redis.del(`auth:session:${token}`);
}

export const sessionTokenOf = (cookie: string): string =>
  decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0] ?? '';

export async function givePassword({ auth }: Pick<Services, 'auth'>, userId: string, password: string): Promise<void> {
  const { internalAdapter, password: hasher } = await auth.$context;
  const hash = await hasher.hash(password);
  await internalAdapter.linkAccount({ userId, providerId: 'credential', accountId: userId, password: hash });
}

/**
 * Creates users and writes how they sign in: by their cookies, and the first by its password if one is given.
 * @returns the path of the file
 */
export async function writeAccounts(services: Services, folder: string, count: number, password?: string) {
  const users = await Promise.all(Array.from({ length: count }, () => createSignedInUser(services)));
  const lines = users.map(({ cookie }) => cookie);
  const [{ id, email }] = users as [(typeof users)[number]];
  if (password !== undefined) {
    await givePassword(services, id, password);
    lines[0] = `${email} ${password}`;
  }
  const file = join(folder, `accounts-${id}.txt`);
  writeFileSync(file, `# the players\n${lines.join('\n')}\n`);
  return file;
}
