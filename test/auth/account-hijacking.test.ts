// An attacker tries to take over an account: by links and mails that lead to a foreign page, and by fields
// that only the service may set. [contract 6, 17]
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newEmail, PASSWORD, useMailingReplicas } from '../support/accounts.ts';
import { createHttpClient } from '../support/http-client.ts';
import { mailTo } from '../support/outbox.ts';
import { createSignedInUser } from '../support/users.ts';

const { service } = useMailingReplicas({ count: 1, env: { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' } });

const client = () => createHttpClient(service.url);

/**
 * These redirect targets try to leave the service's origin in forms that browsers and parsers read
 * differently.
 */
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
    const answer = await client().get(`/api/auth/verify-email?${query}`);
    const location = answer.headers.get('location');
    if (answer.status >= 400) return expect(location).toBeNull();
    expect(new URL(String(location), service.url).origin).toBe(service.url);
  });

  it.each(ELSEWHERE)('redirects to no foreign page after a sign-up, a sign-in or a reset: %s', async (elsewhere) => {
    const { email } = await createSignedInUser(service.services);
    const asked = await Promise.all([
      client().post('/api/auth/sign-up/email', {
        name: 'Eve',
        email: newEmail(),
        password: PASSWORD,
        callbackURL: elsewhere,
      }),
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

describe('the links in a mail', () => {
  it.each([
    { host: 'evil.example' },
    { host: '127.0.0.1:1@evil.example' },
    { 'x-forwarded-host': 'evil.example' },
    { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    { forwarded: 'host=evil.example;proto=https' },
    { 'x-original-host': 'evil.example', 'x-host': 'evil.example' },
  ])('lead to the service, whatever host the request names: %s', async (headers) => {
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
    await client().post('/api/auth/sign-up/email', { name: 'Eve', email, password: PASSWORD, ...EXTRA });
    const user = await service.services.db.user.findUnique({ where: { email } });
    expect(user?.emailVerified ?? false).toBe(false);
    expect(user?.id).not.toBe(EXTRA.id);
    if (user) expect(user.createdAt.getFullYear()).toBeGreaterThan(2000);
    const signIn = await client().post('/api/auth/sign-in/email', { email, password: PASSWORD });
    expect(signIn.status).toBeGreaterThanOrEqual(400);
  });

  it('are not taken from a change of one’s account', async () => {
    const user = await createSignedInUser(service.services);
    const { db } = service.services;
    const where = { id: user.id };
    const before = await db.user.update({ where, data: { emailVerified: false } });
    const browser = createHttpClient(service.url, { cookie: user.cookie });
    for (const [field, value] of Object.entries({ ...EXTRA, email: newEmail(), userId: EXTRA.id })) {
      const { status } = await browser.post('/api/auth/update-user', { name: 'Eve', [field]: value });
      expect([200, 400], field).toContain(status);
    }
    const after = await db.user.findUniqueOrThrow({ where });
    expect({ ...after, name: '', updatedAt: null }).toEqual({ ...before, name: '', updatedAt: null });
    expect(after.updatedAt.getFullYear()).toBeGreaterThan(2000);
    expect(await db.user.findUnique({ where: { id: EXTRA.id } })).toBeNull();
  });
});
