// Tests passkeys on the page, with Chromium's virtual authenticator. [contract 17]
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../src/tools/dev/ports.ts';
import { type Chromium, startChromium } from '../support/browser.ts';
import { startService, type TestService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { arrive, arriveSignedIn, confirm, type Visitor } from '../support/visitor.ts';

let stores: TestStores;
let service: TestService;
let chromium: Chromium;
/** The page is opened by a host name, since a passkey belongs to a domain. */
let url: string;

beforeAll(async () => {
  stores = await startStores();
  const PORT = String(await freePort());
  url = `http://localhost:${PORT}`;
  service = await startService(stores, { PORT, BETTER_AUTH_URL: url, CORS_ORIGIN: url });
  chromium = await startChromium();
});
afterAll(async () => {
  await chromium?.stop();
  await service?.stop();
  await stores?.stop();
});

interface Owner extends Visitor {
  /** Sets whether the authenticator verifies its user. */
  recognise(isRecognised: boolean): Promise<void>;
}

/** @returns a visitor on the account screen, with an authenticator */
async function owner(): Promise<Owner> {
  const visitor = await arriveSignedIn({ url, services: service.services }, chromium, 'Ada');
  onTestFinished(() => visitor.close());
  const device = await visitor.page.context().newCDPSession(visitor.page);
  await device.send('WebAuthn.enable');
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  await visitor.goto('/account');
  await visitor.sees('Passkeys');
  return {
    ...visitor,
    async recognise(isUserVerified) {
      await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
}

const section = ({ page }: Visitor) => page.getByRole('region', { name: 'Passkeys' });
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
  const rows = section(visitor).locator('li');
  await visitor.press('Add a passkey');
  await rows
    .first()
    .getByText(/^Chrome on \w+$/)
    .waitFor();
  await rows.first().getByRole('button', { name: 'Rename' }).click();
  await visitor.page.getByLabel('Name of the passkey').fill('www.example.com');
  await rows.first().getByRole('button', { name: 'Save the name' }).click();
  await says(visitor, '1 to 50 characters');
  await visitor.page.getByLabel('Name of the passkey').fill('My laptop');
  await rows.first().getByRole('button', { name: 'Save the name' }).click();
  await rows.first().getByText('My laptop', { exact: true }).waitFor();

  await visitor.press('Add a passkey');
  await says(visitor, 'This device has a passkey for your account already.');

  await signOut(visitor);
  await visitor.press('Sign in with a passkey');
  await visitor.sees('Hello, Ada');
  await visitor.page.getByRole('link', { name: 'Your account' }).click();
  await rows.first().getByRole('button', { name: 'Remove' }).click();
  await confirm(visitor, 'Remove');
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
  const visitor = await arrive({ url: service.url }, chromium, 'Ada');
  onTestFinished(() => visitor.close());
  await visitor.goto('/');
  await openSignIn(visitor);
  await visitor.page.getByRole('link', { name: 'Forgot your password?' }).waitFor();
  expect(await visitor.page.getByText('passkey').count()).toBe(0);
});
