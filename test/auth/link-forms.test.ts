// Plain forms answer the link of a sign-up while the page is off. [contract 17]
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADA, CHOSEN, EVE, newEmail, tokenOf, useSignUpLinks } from '../support/accounts.ts';
import { createHttpClient } from '../support/http-client.ts';
import type { TestService } from '../support/service.ts';

const { startSibling, client, signUp, signIn, statusOf } = useSignUpLinks();

describe('with the page off', () => {
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
  let plain: TestService;
  beforeAll(async () => {
    plain = await startSibling({ WEB_PAGE: 'false' });
  });
  afterAll(() => plain.stop());

  /** @returns the form as a browser reads it, and a function that submits it */
  async function openForm(link: string) {
    const by = createHttpClient(plain.url);
    const { pathname, search } = new URL(link);
    const { headers } = await by.get(`${pathname}${search}`);
    const address = headers.get('location') ?? '';
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

  test('a plain form accepts the password of the sign-up', async () => {
    const email = newEmail();
    const link = await signUp(client(), email, ADA);
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

  test('a plain form accepts a new password', async () => {
    const email = newEmail();
    const { send } = await openForm(await signUp(client(), email, EVE));
    const name = 'Ada';
    expect((await send('choose', { name, newPassword: 'password' })).status).toBe(400);
    expect((await send('choose', { name, newPassword: CHOSEN.password })).status).toBe(200);
    expect(await statusOf(email, EVE)).toBe(401);
    expect(await signIn(email, CHOSEN)).toMatchObject({ status: 200, body: { user: { name } } });
  });

  test('a plain form reports an expired link', async () => {
    const form = await createHttpClient(plain.url).get('/api/auth/verify-email/form?token=%3Cb%3E');
    expect(form.status).toBe(401);
    expect(form.body).toContain('This link is too old.');
  });
});
