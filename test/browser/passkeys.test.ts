// Tests passkeys on the page, with Chromium's virtual authenticator. [contract 17]
import { expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import type { Visitor } from '../support/visitor.ts';

// The page is opened by a host name, since a passkey belongs to a domain.
const browser = useBrowser({}, 1, 'localhost');

const ABILITIES = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true };

/** @returns a visitor on the account screen, with an authenticator */
async function owner() {
  const visitor = await browser.newVisitor('Ada');
  const device = await visitor.page.context().newCDPSession(visitor.page);
  await device.send('WebAuthn.enable');
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', ...ABILITIES },
  });
  await visitor.goto('/account');
  await visitor.sees('Passkeys');
  return {
    ...visitor,
    /** Sets whether the authenticator verifies its user. */
    async recognise(isUserVerified: boolean) {
      await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
}

const says = ({ page }: Visitor, text: string) => page.getByRole('alert').getByText(text).waitFor();

async function openSignIn(visitor: Visitor): Promise<void> {
  await visitor.page.locator('.tabs').getByRole('button', { name: 'Sign in' }).click();
}

async function signOut(visitor: Visitor): Promise<void> {
  await visitor.page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  await openSignIn(visitor);
}

it('a passkey is added, renamed, used for a sign-in and removed', async () => {
  const visitor = await owner();
  const rows = visitor.page.getByRole('region', { name: 'Passkeys' }).locator('li');
  const rename = async (name: string) => {
    await visitor.page.getByLabel('Name of the passkey').fill(name);
    await rows.first().getByRole('button', { name: 'Save the name' }).click();
  };
  await visitor.press('Add a passkey');
  await rows
    .first()
    .getByText(/^Chrome on \w+$/)
    .waitFor();
  await rows.first().getByRole('button', { name: 'Rename' }).click();
  await rename('www.example.com');
  await says(visitor, '1 to 50 characters');
  await rename('My laptop');
  await rows.first().getByText('My laptop', { exact: true }).waitFor();

  await visitor.press('Add a passkey');
  await says(visitor, 'This device has a passkey for your account already.');

  await signOut(visitor);
  await visitor.press('Sign in with a passkey');
  await visitor.sees('Hello, Ada');
  await visitor.page.getByRole('link', { name: 'Your account' }).click();
  await visitor.confirms('Remove');
  await expect.poll(() => rows.count()).toBe(0);

  await signOut(visitor);
  await visitor.press('Sign in with a passkey');
  await says(visitor, 'This passkey is no longer valid.');
});

it('a failed user verification is explained, and an old sign-in must be renewed', async () => {
  const visitor = await owner();
  await visitor.recognise(false);
  await visitor.press('Add a passkey');
  await says(visitor, 'That did not work, or was cancelled.');
  await visitor.recognise(true);
  await visitor.replies('**/api/auth/passkey/generate-register-options', 400, { code: 'SESSION_EXPIRED' });
  await visitor.press('Add a passkey');
  await says(visitor, 'less than 15 minutes old');
  await visitor.press('Sign in again');
  await visitor.sees('Learn words by playing.');
});

it('passkeys are not offered at an IP address', async () => {
  const byAddress = { baseURL: browser.fleet.url.replace('localhost', '127.0.0.1') };
  const visitor = await browser.newStranger('Ada', { ...byAddress, path: '/' });
  await openSignIn(visitor);
  await visitor.page.getByRole('link', { name: 'Forgot your password?' }).waitFor();
  expect(await visitor.page.getByText('passkey').count()).toBe(0);
});
