// Google and GitHub name a user's address: whose account it is, and who loses it. [contract 6, 17]
import { describe, expect, test } from 'vitest';
import { tokenIn } from '../support/accounts.ts';
import { mailTo } from '../support/outbox.ts';
import { newPerson, sessionOf, useSocialSignIn } from '../support/social-sign-in.ts';
import { createSignedInUser } from '../support/users.ts';

const { client, signIn, service } = useSocialSignIn();

describe('a provider', () => {
  const provider = 'google';
  test('joins the account of the same verified address', async () => {
    const user = await createSignedInUser(service.services);
    const browser = client();
    await signIn(browser, provider, newPerson({ email: user.email }));
    expect((await sessionOf(browser)).user).toMatchObject({ id: user.id, name: user.name });
  });

  test('takes an unconfirmed address from the user who signed up with it by password', async () => {
    const person = newPerson();
    const email = person.email ?? '';
    const squatter = { name: 'Eve', email, password: 'correct horse' };
    const eve = client();
    await eve.post('/api/auth/sign-up/email', squatter);
    await eve.post('/api/auth/request-password-reset', { email, redirectTo: '/choose' });
    const { url: link } = await mailTo(service.config, email, 1);
    const { url: resetLink } = await mailTo(service.config, email, 2);

    const browser = client();
    expect((await signIn(browser, provider, person)).location).toBe('/play');
    expect((await sessionOf(browser)).user).toMatchObject({ email, name: 'Ada Lovelace' });
    expect(await eve.post('/api/auth/sign-in/email', squatter)).toMatchObject({ status: 401 });
    for (const ended of [link, resetLink]) {
      const opened = await eve.get(ended);
      expect(opened.headers.get('location')).toMatch(/error=INVALID_TOKEN/);
    }
    expect(await eve.post('/api/auth/sign-in/email', squatter)).toMatchObject({ status: 401 });
  });

  test('takes no address from a user unless the provider has verified it', async () => {
    const person = newPerson({ emailVerified: false });
    const email = person.email ?? '';
    const account = { name: 'Ada', email, password: 'correct horse' };
    const own = client();
    await own.post('/api/auth/sign-up/email', account);
    const { location } = await signIn(client(), provider, person);
    expect(location).toBe('/failed?error=account_not_linked');
    await own.get((await mailTo(service.config, email)).url);
    const signedIn = await client().post('/api/auth/sign-in/email', account);
    expect(signedIn).toMatchObject({ status: 200 });
  });

  test('loses an unverified address once a password sign-up with it is confirmed', async () => {
    const person = newPerson({ emailVerified: false });
    const email = person.email ?? '';
    await signIn(client(), provider, person);
    const own = client();
    const account = { name: 'Bob', email, password: 'correct horse' };
    await own.post('/api/auth/sign-up/email', account);
    await own.get((await mailTo(service.config, email, 2)).url);
    expect(await own.post('/api/auth/sign-in/email', account)).toMatchObject({ status: 200 });
    const { location } = await signIn(client(), provider, person);
    expect(location).toBe('/failed?error=account_not_linked');
  });

  test('loses an unverified address once its link is opened in another browser', async () => {
    const person = newPerson({ emailVerified: false });
    const email = person.email ?? '';
    await signIn(client(), provider, person);
    const { url } = await mailTo(service.config, email, 1);
    const owner = client();
    const opened = await owner.get(url);
    expect(opened.headers.get('location')).toMatch(/\/verify\?token=/);
    expect((await signIn(client(), provider, person)).location).toMatch(/error=email_not_verified/);

    const account = { email, password: 'correct horse' };
    const chosen = { token: tokenIn(opened), newPassword: account.password };
    const answer = await owner.post('/api/auth/verify-email/choose', chosen);
    expect(answer).toMatchObject({ status: 200 });
    expect(await client().post('/api/auth/sign-in/email', account)).toMatchObject({ status: 200 });
    expect((await signIn(client(), provider, person)).location).toMatch(/error=account_not_linked/);
  });

  test('requires an address that the provider has not verified to be verified first', async () => {
    const person = newPerson({ emailVerified: false });
    const browser = client();
    const { location } = await signIn(browser, provider, person);
    expect(location).toBe('/failed?error=email_not_verified');
    expect(await sessionOf(browser)).toBeNull();
    await browser.get((await mailTo(service.config, person.email ?? '')).url);
    expect((await signIn(browser, provider, person)).location).toBe('/play');
    expect((await sessionOf(browser)).user).toMatchObject({ name: 'Ada Lovelace' });
  });

  test('makes no account without an address', async () => {
    const { location } = await signIn(client(), provider, newPerson({ email: null }));
    expect(location).toBe('/failed?error=email_not_found');
  });
});

test('Google and GitHub sign-ins with one address are one user', async () => {
  const person = newPerson();
  const [first, second] = [client(), client()];
  await signIn(first, 'google', person);
  await signIn(second, 'github', person);
  expect((await sessionOf(second)).user.id).toBe((await sessionOf(first)).user.id);
});
