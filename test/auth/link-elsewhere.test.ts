// A sign-up's link is opened in a browser that has not signed up: by the address's owner on another device, by the
// victim of a foreign sign-up, or by a mail scanner. Plain forms answer it while the page is off. [contract 17]
import { createEmailVerificationToken } from 'better-auth/api';
import { test as base, describe, expect, onTestFinished } from 'vitest';
import { ADA, CHOSEN, EVE, signIn as enter, newEmail, tokenOf, useSignUpLinks } from '../support/accounts.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { createHttpClient } from '../support/http-client.ts';
import { mailTo } from '../support/outbox.ts';

const WRONG_PASSWORD = { status: 401, body: { code: 'INVALID_PASSWORD' } };
const INVALID_LINK = { status: 401, body: { code: 'INVALID_TOKEN' } };

const { other, service, startSibling, client, signUp, signIn, statusOf, confirm, choose } = useSignUpLinks();

const pathOf = (link: string) => link.slice(new URL(link).origin.length);

const test = base
  .extend('email', newEmail)
  /** The link in the mail of Ada's sign-up. */
  .extend('link', ({ email }) => signUp(client(), email, ADA));

/** @returns all that is stored about an address: the user, the passwords, and the sign-ups */
const storedFor = (email: string) =>
  service.services.db.user.findUnique({ where: { email }, include: { accounts: true, signUps: true } });

test('opening the link changes nothing, and redirects to the page that asks for the password', async ({ email }) => {
  const [eve, stranger] = [client(), client()];
  const link = await signUp(eve, email, EVE);
  await stranger.post('/api/auth/sign-up/email', { ...ADA, email: newEmail() });
  const before = await storedFor(email);
  for (const by of [client(), stranger, client(other.url)])
    for (const method of ['GET', 'HEAD', 'GET']) {
      const opened = await by.request(method, pathOf(link));
      const location = `${service.url}/verify?token=${tokenOf(link)}`;
      if (method === 'GET') expect(opened).toMatchObject({ status: 302, location });
      expect(opened.headers.getSetCookie()).toEqual([]);
    }
  await eve.request('HEAD', link);
  expect(await storedFor(email)).toEqual(before);
  expect(await signIn(email, EVE)).toMatchObject({ body: { code: 'EMAIL_NOT_VERIFIED' } });
});

describe('the password of the sign-up', () => {
  test('confirms the address with that sign-up, and drops all others', async ({ email }) => {
    const eveLink = await signUp(client(), email, EVE);
    const adaLink = await signUp(client(), email, ADA);
    expect(await confirm(adaLink, ADA)).toMatchObject({ status: 200, body: { status: true, url: '/welcome' } });
    expect(await signIn(email, ADA)).toMatchObject({ status: 200, body: { user: { name: 'Ada' } } });
    expect(await statusOf(email, EVE)).toBe(401);
    for (const person of [EVE, ADA]) expect(await confirm(eveLink, person)).toMatchObject(INVALID_LINK);
  });

  test('is accepted twice, and a wrong password is still refused', async ({ email, link }) => {
    const both = await Promise.all([confirm(link, ADA), confirm(link, ADA, client(other.url))]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await confirm(link, EVE)).toMatchObject(WRONG_PASSWORD);
    expect(await choose(link, CHOSEN)).toMatchObject(INVALID_LINK);
    expect((await client().get(link)).location).toBe('/welcome');
    expect(await statusOf(email, ADA)).toBe(200);
  });

  test('counts as a failed password of the account if it is wrong', async ({ email, link }) => {
    const strict = await startSibling({ RATE_LIMIT_ACCOUNT_MAX: '3' });
    onTestFinished(() => strict.stop());
    const by = () => createHttpClient(strict.url);
    const tried = await Promise.all(Array.from({ length: 6 }, () => confirm(link, EVE, by())));
    expect(tried.map(({ status }) => status).sort()).toEqual([401, 401, 401, 429, 429, 429]);
    expect(await confirm(link, ADA, by())).toMatchObject({ status: 429 });
    expect(await enter(by(), email, ADA.password)).toMatchObject({ status: 429 });
    expect(await choose(link, CHOSEN, by())).toMatchObject({ status: 200 });
    expect(await enter(by(), email, CHOSEN.password)).toMatchObject({ status: 200 });
  });
});

describe('a new password', () => {
  test('confirms the address, and drops all earlier passwords and other links', async ({ email }) => {
    const eve = client();
    const eveLink = await signUp(eve, email, EVE);
    const link = await signUp(client(), email, ADA);
    await client().post('/api/auth/request-password-reset', { email, redirectTo: '/choose' });
    const { url: resetLink } = await mailTo(service.config, email, 3);
    expect(await choose(link, CHOSEN)).toMatchObject({ status: 200, body: { status: true } });
    for (const person of [EVE, ADA]) expect(await statusOf(email, person)).toBe(401);
    const user = { name: 'Player', image: null, emailVerified: true };
    expect(await signIn(email, CHOSEN)).toMatchObject({ status: 200, body: { user } });
    expect((await eve.get(eveLink)).location).toBe('/welcome?error=INVALID_TOKEN');
    expect((await client().get(resetLink)).location).toBe('/choose?error=INVALID_TOKEN');
    for (const ended of [eveLink, link])
      expect(await choose(ended, { password: 'another that is chosen' })).toMatchObject(INVALID_LINK);
    expect(await statusOf(email, CHOSEN)).toBe(200);
  });

  test('is chosen with a name, because the name of the sign-up may be a stranger’s and is dropped', async () => {
    const email = newEmail();
    const link = await signUp(client(), email, { ...EVE, name: 'Win at evil.com/x' });
    for (const name of ['', '\u202e', 'www.evil.com', 'x'.repeat(51)])
      expect(await choose(link, { ...CHOSEN, name })).toMatchObject({ status: 400, body: { code: 'INVALID_NAME' } });
    const common = { password: 'Ada Lovelace', name: ' Ada Lovelace' };
    expect(await choose(link, common)).toMatchObject({ body: { code: 'PASSWORD_TOO_COMMON' } });
    expect(await choose(link, { ...CHOSEN, name: ' Ada ' })).toMatchObject({ status: 200 });
    expect(await signIn(email, CHOSEN)).toMatchObject({ body: { user: { name: 'Ada' } } });
  });

  test('that is the address or the name is refused, and the link stays valid', async ({ email }) => {
    const link = await signUp(client(), email, { ...ADA, name: 'Ada Lovelace' });
    for (const password of [email, 'Ada Lovelace']) {
      const refused = await choose(link, { password });
      expect(refused).toMatchObject({ status: 400, body: { code: 'PASSWORD_TOO_COMMON' } });
      expect(Object.keys(refused.body).sort()).toEqual(['code', 'message']);
    }
    expect(await choose(link, CHOSEN)).toMatchObject({ status: 200 });
  });

  test('races with the password of a sign-up, and exactly one of them is confirmed', async () => {
    for (let round = 0; round < 3; round++) {
      const email = newEmail();
      const link = await signUp(client(), email, EVE);
      const answers = await Promise.all([
        choose(link, CHOSEN),
        confirm(link, EVE, client(other.url)),
        choose(link, ADA, client(other.url)),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const opened = await Promise.all([CHOSEN, EVE, ADA].map((person) => statusOf(email, person)));
      expect(opened).toEqual(answers.map(({ status }) => (status === 200 ? 200 : 401)));
    }
  });
});

describe('with the page off, a plain form', () => {
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
  const plain = forAllTests(() => startSibling({ WEB_PAGE: 'false' }));

  /** @returns the form as a browser reads it, and a function that submits it */
  async function openForm(link: string) {
    const by = createHttpClient(plain.url);
    const address = (await by.get(pathOf(link))).location ?? '';
    expect(address).toBe(`${plain.url}/api/auth/verify-email/form?token=${tokenOf(link)}`);
    const form = await by.get(address);
    expect(form.status).toBe(200);
    expect(form.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const token = /name="token" value="([^"]+)"/.exec(form.body)?.[1] ?? '';
    return {
      html: form.body as string,
      send: (action: string, fields: Record<string, string>) =>
        by.post(new URL(action, address).pathname, new URLSearchParams({ token, ...fields }).toString(), FORM),
    };
  }

  test('accepts the password of the sign-up', async ({ email, link }) => {
    const { html, send } = await openForm(link);
    expect(html.match(/ action="[^"]+"/g)).toEqual([' action="confirm"', ' action="choose"']);
    expect(html).toMatch(/<input name="name"/);
    expect(html).not.toMatch(/<script|<style| style=/);
    const wrong = await send('confirm', { password: EVE.password, undefined: '"><script>' });
    expect(wrong.status).toBe(401);
    expect(wrong.body).not.toContain('<script');
    expect(wrong.body).toContain('<p role="alert">Invalid password.</p>');
    expect(wrong.body).toContain(`value="${tokenOf(link)}"`);
    const right = await send('confirm', { password: ADA.password });
    expect(right.status).toBe(200);
    expect(right.body).toContain('Your address is confirmed.');
    expect(await statusOf(email, ADA)).toBe(200);
  });

  test('accepts a new password', async ({ email }) => {
    const { send } = await openForm(await signUp(client(), email, EVE));
    const name = 'Ada';
    expect((await send('choose', { name, newPassword: 'password' })).status).toBe(400);
    expect((await send('choose', { name, newPassword: CHOSEN.password })).status).toBe(200);
    expect(await statusOf(email, EVE)).toBe(401);
    expect(await signIn(email, CHOSEN)).toMatchObject({ status: 200, body: { user: { name } } });
  });

  test('reports an expired link', async () => {
    const form = await createHttpClient(plain.url).get('/api/auth/verify-email/form?token=%3Cb%3E');
    expect(form.status).toBe(401);
    expect(form.body).toContain('This link is too old.');
  });
});

test('a forged link, an expired one, and one of a deleted account are refused', async ({ email, link }) => {
  const { secret } = service.config.auth;
  const { id } = (await storedFor(email)) ?? {};
  const old = await createEmailVerificationToken(secret, email, undefined, -1, { userId: id });
  const forged = await createEmailVerificationToken(`${secret}x`, email, undefined, 60, { userId: id });
  const linkOf = (token: string) => `${service.url}/api/auth/verify-email?token=${token}`;
  await service.services.db.user.delete({ where: { email } });
  for (const dead of [link, linkOf(old), linkOf(forged), linkOf('x'), linkOf('x'.repeat(3000))]) {
    const opened = await client().get(pathOf(dead));
    if (dead !== link) expect(opened).toMatchObject(INVALID_LINK);
    for (const answer of [await confirm(dead, ADA), await choose(dead, CHOSEN)])
      expect([400, 401]).toContain(answer.status);
  }
  const inBrowser = await client().get(linkOf(old), { accept: 'text/html,*/*;q=0.8' });
  expect(inBrowser.location).toBe(`${service.url}/verified?error=INVALID_TOKEN`);
});
