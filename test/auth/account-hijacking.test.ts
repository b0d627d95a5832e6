// An attacker tries to take over an account: by links and mails that lead to a foreign page, by fields that only the
// service may set, and by a foreign page, or one of a sibling subdomain, that makes a browser send requests.
// [contract 6, 17]
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newEmail, PASSWORD, signIn, signUp, useMailingReplicas } from '../support/accounts.ts';
import { authOperations } from '../support/fuzz/operations.ts';
import { createHttpClient } from '../support/http-client.ts';
import { mailTo } from '../support/outbox.ts';
import { createPerson, createSignedInUser } from '../support/users.ts';

const GOOGLE = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' };
const { service, client } = useMailingReplicas({ count: 1, env: GOOGLE });

const FOREIGN = ['https://evil.example', 'http://sibling.127.0.0.1', 'null'];

/** These redirect targets try to leave the service's origin in forms that browsers and parsers read differently. */
const ELSEWHERE = [
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/%5cevil.example/..//evil.example',
  'https:evil.example',
  'http://127.0.0.1@evil.example/',
  'javascript:alert(1)',
];

describe('a link of the service', () => {
  it.each(ELSEWHERE)('redirects to no foreign page after a verification: %s', async (elsewhere) => {
    const query = new URLSearchParams({ token: 'x', callbackURL: elsewhere });
    const { status, location } = await client().get(`/api/auth/verify-email?${query}`);
    if (status >= 400) return expect(location).toBeNull();
    expect(new URL(String(location), service.url).origin).toBe(service.url);
  });

  it.each(ELSEWHERE)('redirects to no foreign page after a sign-up, a sign-in or a reset: %s', async (elsewhere) => {
    const { email } = await createSignedInUser(service.services);
    const asked = await Promise.all([
      signUp(client(), newEmail(), { callbackURL: elsewhere }),
      client().post('/api/auth/sign-in/social', { provider: 'google', callbackURL: elsewhere }),
      client().post('/api/auth/request-password-reset', { email, redirectTo: elsewhere }),
      client().post('/api/auth/send-verification-email', { email, callbackURL: elsewhere }),
    ]);
    for (const { status, body } of asked) {
      if (status >= 400) expect([400, 403]).toContain(status);
      else expect(new URL(elsewhere, service.url).origin, JSON.stringify(body)).toBe(service.url);
    }
  });
});

it.each([
  { host: 'evil.example' },
  { host: '127.0.0.1:1@evil.example' },
  { 'x-forwarded-host': 'evil.example' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  { forwarded: 'host=evil.example;proto=https' },
  { 'x-original-host': 'evil.example', 'x-host': 'evil.example' },
])('the links in a mail lead to the service, whatever host the request names: %s', async (headers) => {
  const { email } = await createSignedInUser(service.services);
  const { publicUrl } = service.config.auth;
  const answer = await service.app.inject({
    method: 'POST',
    url: '/api/auth/request-password-reset',
    headers: { origin: publicUrl, ...headers } as Record<string, string>,
    payload: { email, redirectTo: '/reset-password' },
  });
  if (answer.statusCode >= 400) return expect([400, 403]).toContain(answer.statusCode);
  const mail = await mailTo(service.config, email);
  expect(new URL(mail.url).origin).toBe(publicUrl);
  expect(JSON.stringify(mail)).not.toContain('evil');
});

describe('fields that only the service may set', () => {
  const EXTRA = {
    id: randomUUID(),
    emailVerified: true,
    isAdmin: true,
    role: 'admin',
    isAnonymous: true,
    isGuest: true,
    createdAt: '2000-01-01T00:00:00.000Z',
    updatedAt: '2000-01-01T00:00:00.000Z',
  };

  it('are not taken from a sign-up', async () => {
    const email = newEmail();
    await signUp(client(), email, EXTRA);
    const user = await service.services.db.user.findUnique({ where: { email } });
    expect(user?.emailVerified ?? false).toBe(false);
    expect(user?.id).not.toBe(EXTRA.id);
    if (user) expect(user.createdAt.getFullYear()).toBeGreaterThan(2000);
    expect((await signIn(client(), email)).status).toBeGreaterThanOrEqual(400);
  });

  it('are not taken from a change of one’s account', async () => {
    const { user, client } = await createPerson(service);
    const { db } = service.services;
    const where = { id: user.id };
    const before = await db.user.update({ where, data: { emailVerified: false } });
    for (const [field, value] of Object.entries({ ...EXTRA, email: newEmail(), userId: EXTRA.id })) {
      const { status } = await client.post('/api/auth/update-user', { name: 'Eve', [field]: value });
      expect([200, 400], field).toContain(status);
    }
    const after = await db.user.findUniqueOrThrow({ where });
    expect({ ...after, name: '', updatedAt: null }).toEqual({ ...before, name: '', updatedAt: null });
    expect(after.updatedAt.getFullYear()).toBeGreaterThan(2000);
    expect(await db.user.findUnique({ where: { id: EXTRA.id } })).toBeNull();
  });
});

it('a request from a foreign origin is refused at every account endpoint, signed in or not', async () => {
  const { services, url } = service;
  const { body: document } = await client().get('/api/openapi.json');
  const operations = authOperations(services.auth, document).filter(({ method }) => method === 'POST');
  expect(operations.length).toBeGreaterThan(20);
  const { user, client: own } = await createPerson(service, { password: PASSWORD });
  const { email } = user;
  for (const origin of FOREIGN) {
    const page = createHttpClient(url, { origin, cookie: user.cookie });
    for (const { path, name } of operations) {
      const address = path.replace(/\{\w+\}/g, 'x');
      const { status } = await page.post(address, { email, password: PASSWORD, name: 'Eve', token: 'x' });
      expect([403, 404, 405], `${name} from ${origin}: ${status}`).toContain(status);
    }
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    const stranger = createHttpClient(url, { origin });
    const refused = await stranger.post('/api/auth/sign-in/email', { email, password: PASSWORD }, headers);
    expect(refused.status).toBe(403);
    expect(stranger.cookie()).toBe('');
  }
  expect((await own.get('/api/auth/get-session')).body.user).toMatchObject({ name: user.name, email });
});

it('no GET request changes an account', async () => {
  const { user, client } = await createPerson(service);
  for (const path of ['sign-out', 'delete-user', 'revoke-sessions', 'update-user?name=Eve'])
    expect((await client.get(`/api/auth/${path}`)).status).toBeGreaterThanOrEqual(404);
  expect((await client.get('/api/auth/get-session')).body.user.name).toBe(user.name);
});
