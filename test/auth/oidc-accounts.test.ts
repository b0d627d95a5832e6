// The house's own identity provider enters the accounts that it has made, and those that it is linked to.
// [contract 17, 22]
import { expect, test } from 'vitest';
import { createHttpClient } from '../support/http-client.ts';
import { storeList } from '../support/lists.ts';
import { errorIn, newClaims, startOidc, useOidcSignIn } from '../support/oidc-sign-in.ts';
import { mailTo } from '../support/outbox.ts';
import { sessionOf } from '../support/social-sign-in.ts';
import { createSignedInUser } from '../support/users.ts';

const { client, link, provider, service, signIn } = useOidcSignIn({ env: { GUESTS: 'true' } });

/** @returns a user with a confirmed address, a browser that is signed in as that user, and the same person's claims */
async function ownerWithBrowser(more: Record<string, unknown> = {}) {
  const user = await createSignedInUser(service.services);
  const browser = createHttpClient(service.url, { cookie: user.cookie });
  return { user, browser, person: newClaims({ email: user.email, ...more }) };
}

const providersOf = async (browser: ReturnType<typeof client>) =>
  (await browser.get('/api/auth/list-accounts')).body.map(({ providerId }: { providerId: string }) => providerId);

test('an account that exists under the address is not entered', async () => {
  const { browser: owner, person } = await ownerWithBrowser();
  const browser = client();
  expect(errorIn(await signIn(browser, person))).toBe('account_not_linked');
  expect(await sessionOf(browser)).toBeNull();
  expect(await providersOf(owner)).toEqual([]);
});

test('whoever is signed in links the provider, and then signs in by it', async () => {
  const { browser, person, user } = await ownerWithBrowser();
  expect((await link(browser, person)).location).toBe('/play');
  expect(await providersOf(browser)).toEqual(['oidc']);
  const another = client();
  expect((await signIn(another, person)).location).toBe('/play');
  expect((await sessionOf(another)).user).toMatchObject({ id: user.id, name: user.name });
});

test('a link does not need an address that the provider has verified', async () => {
  const { browser, person, user } = await ownerWithBrowser({ email_verified: undefined });
  expect((await link(browser, person)).location).toBe('/play');
  const another = client();
  await signIn(another, person);
  expect((await sessionOf(another)).user.id).toBe(user.id);
});

test('a link needs the address of the account', async () => {
  const { browser } = await ownerWithBrowser();
  expect(errorIn(await link(browser, newClaims()))).toBe('email_does_not_match');
  expect(await providersOf(browser)).toEqual([]);
});

test('a person who is linked with one account is linked with no other', async () => {
  const { browser, person } = await ownerWithBrowser();
  await link(browser, person);
  const second = await ownerWithBrowser();
  const { location } = await link(second.browser, { ...person, email: second.user.email });
  expect(errorIn({ location })).toBe('account_already_linked_to_different_user');
});

test('nobody links without a session, and no guest does', async () => {
  const guest = client();
  await guest.post('/api/v1/guests', { name: 'Ada' });
  const path = '/api/auth/link-social';
  expect(await startOidc(client(), path)).toMatchObject({ status: 401 });
  expect(await startOidc(guest, path)).toMatchObject({ status: 403, body: { code: 'ACCOUNT_REQUIRED' } });
});

test('a client cannot pass a sign-in off as a link', async () => {
  const { browser: owner, person, user } = await ownerWithBrowser();
  const browser = client();
  const forged = { link: { userId: user.id, email: user.email } };
  const body = { provider: 'oidc', callbackURL: '/play', additionalData: forged };
  const started = await browser.post('/api/auth/sign-in/social', body);
  const back = await provider.agree(started.body.url, person);
  const { headers } = await browser.get(back.href);
  expect(errorIn({ location: headers.get('location') })).toBe('account_not_linked');
  expect(await providersOf(owner)).toEqual([]);
});

test('an account whose address the provider does not call verified has to confirm it first', async () => {
  const person = newClaims({ email_verified: undefined });
  const browser = client();
  expect(errorIn(await signIn(browser, person))).toBe('email_not_verified');
  expect(await sessionOf(browser)).toBeNull();
  await browser.get((await mailTo(service.config, person.email)).url);
  expect((await signIn(browser, person)).location).toBe('/play');
  expect((await sessionOf(browser)).user).toMatchObject({ name: 'Ada Lovelace' });
});

test('a sign-in gives what a guest has to the account', async () => {
  const guest = client();
  await guest.post('/api/v1/guests', { name: 'Ada' });
  await storeList(guest, { name: 'Numbers' });
  await signIn(guest, newClaims());
  expect((await guest.get('/api/v1/lists')).body.lists).toMatchObject([{ name: 'Numbers' }]);
});
