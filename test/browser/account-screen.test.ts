// Tests the account screen: devices, name, password, second factor and deletion. [contract 17]
import { describe, expect, it } from 'vitest';
import type { PageConfig } from '../../src/web/frame/page-schema.ts';
import { useBrowser } from '../support/browser.ts';
import { PAGE_CONFIG } from '../support/edge.ts';
import { totpCode } from '../support/second-factor.ts';
import { givePassword, signIn } from '../support/users.ts';
import { enterSignIn, type Visitor } from '../support/visitor.ts';

const PASSWORD = 'correct horse battery';

const browser = useBrowser();

/** @returns a visitor on the account screen of an account with a password */
async function owner() {
  const visitor = await browser.newVisitor('Ada', { path: '/' });
  const { user } = await visitor.page.evaluate<{ user: { id: string; email: string } }>(
    `fetch('/api/auth/get-session').then((answer) => answer.json())`,
  );
  await givePassword(browser.fleet.services, user.id, PASSWORD);
  await visitor.page.getByRole('link', { name: 'Your account' }).click();
  await visitor.sees('Your devices');
  return { ...visitor, ...user };
}

const section = ({ page }: Visitor, name: string) => page.getByRole('region', { name });

/** Lets the service answer with these fields of the account. */
async function answerAccount({ page }: Visitor, fields: () => object): Promise<void> {
  await page.route('**/api/v1/account', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), ...fields() } });
  });
}

/** Presses a button that asks for the password, and enters it. */
async function confirmByPassword(visitor: Visitor, title: string, button: string): Promise<void> {
  const part = section(visitor, title);
  await part.getByRole('button', { name: button }).click();
  await part.getByLabel('Your password, to confirm').fill(PASSWORD);
  await part.getByRole('button', { name: button }).click();
}

describe('devices', () => {
  it('are listed, and can be signed out one by one, all others at once, or all at once', async () => {
    const visitor = await owner();
    for (let count = 0; count < 3; count++) await signIn(browser.fleet.services, visitor.id);
    await visitor.page.reload();
    const devices = section(visitor, 'Your devices');
    await expect.poll(() => devices.locator('li').count()).toBe(4);
    expect(await devices.locator('li').first().innerText()).toContain('This device');
    await devices.locator('li').nth(1).getByRole('button').click();
    await expect.poll(() => devices.locator('li').count()).toBe(3);
    await devices.getByRole('button', { name: 'Sign out all other devices' }).click();
    await expect.poll(() => devices.locator('li').count()).toBe(1);
    await visitor.confirms('Sign out everywhere');
    await visitor.sees('Learn words by playing.');
    await visitor.page.reload();
    await visitor.sees('Learn words by playing.');
  });

  it('that were signed out elsewhere show the sign-in at the next request', async () => {
    const visitor = await owner();
    await section(visitor, 'Your devices').locator('li').first().waitFor();
    await section(visitor, 'Delete account').getByRole('button').first().waitFor();
    await browser.fleet.services.auth.$context.then(({ internalAdapter }) =>
      internalAdapter.deleteUserSessions(visitor.id),
    );
    await visitor.submits({ Name: 'Augusta' }, 'Save the name');
    await visitor.sees('Learn words by playing.');
  });
});

it('name and password are changed, and a refused change is explained', async () => {
  const visitor = await owner();
  const { page } = visitor;
  await visitor.submits({ Name: 'www.example.com' }, 'Save the name');
  await page.getByRole('alert').getByText('1 to 50 characters').waitFor();
  await visitor.submits({ Name: 'Augusta' }, 'Save the name');
  await page.getByText('Saved.').waitFor();
  const part = section(visitor, 'Password');
  const change = (from: string, to: string) =>
    visitor.submits({ 'Current password': from, 'New password': to }, 'Change password');
  await change(PASSWORD, 'password1');
  await part.getByText('too easy to guess').waitFor();
  await change('not the password', 'another horse');
  await part.getByText('Wrong password.').waitFor();
  await signIn(browser.fleet.services, visitor.id);
  await change(PASSWORD, 'another horse');
  await part.getByText('Your new password is saved').waitFor();
  await expect.poll(() => section(visitor, 'Your devices').locator('li').count()).toBe(1);
  const elsewhere = await browser.newStranger('Ada');
  await enterSignIn(elsewhere, visitor.email, 'another horse');
  await elsewhere.sees('Hello, Augusta');
});

it('a second factor is turned on, asked for at sign-in, replaced by a backup code, and turned off', async () => {
  const visitor = await owner();
  const { page } = visitor;
  await confirmByPassword(visitor, 'Two-step sign-in', 'Set up two-step sign-in');
  await page.locator('.qr').waitFor();
  const secret = (await page.locator('.secret').innerText()).replaceAll(' ', '');
  await visitor.submits({ 'Six-digit code': '000000' }, 'Turn on');
  await page.getByRole('alert').getByText('Wrong code.').waitFor();
  await visitor.submits({ 'Six-digit code': totpCode(secret) }, 'Turn on');
  const codes = page.locator('.backup-codes code');
  await codes.first().waitFor();
  const [backup] = await codes.allInnerTexts();
  await visitor.press('I’ve saved them');
  await page.getByText('Two-step sign-in is on.').waitFor();

  const byApp = await browser.newStranger('Ada');
  await enterSignIn(byApp, visitor.email, PASSWORD);
  await byApp.submits({ 'Six-digit code': totpCode(secret) }, 'Sign in');
  await byApp.sees('Hello, Ada');

  const byBackup = await browser.newStranger('Ada');
  await enterSignIn(byBackup, visitor.email, PASSWORD);
  await byBackup.press('Use a backup code instead');
  await byBackup.submits({ 'Backup code': backup ?? '' }, 'Sign in');
  await byBackup.sees('Hello, Ada');

  await confirmByPassword(visitor, 'Two-step sign-in', 'Turn off two-step sign-in');
  await visitor.page.getByRole('button', { name: 'Set up two-step sign-in' }).waitFor();
});

describe('the screen', () => {
  it('costs nothing of the limiter of sign-ins, and says why a reading failed, and when to try again', async () => {
    const visitor = await owner();
    const { page } = visitor;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const soon = { 'retry-after': '40' };
    await visitor.replies('**/api/v1/account', 429, { code: 'RATE_LIMITED' }, soon);
    await visitor.goto('/account');
    await page.getByRole('alert').getByText('Try again in 40 seconds.').waitFor();
    expect(await section(visitor, 'Your devices').count()).toBe(0);
    await page.unroute('**/api/v1/account');
    await visitor.press('Try again');
    await section(visitor, 'Your devices').getByText('This device').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    for (const [message, reason] of [
      ['Too many requests from your network.', 'Many people on your network'],
      ['Too many failed passwords for this account.', 'That was a lot at once'],
    ] as const) {
      await visitor.replies('**/api/auth/update-user', 429, { code: 'RATE_LIMITED', message }, soon);
      await visitor.press('Save the name');
      await page.getByRole('alert').getByText(reason).waitFor();
    }
    await page.unroute('**/api/auth/update-user');
    expect(asked.filter((path) => /^\/api\/auth(?!\/(get-session|update-user)$)/.test(path))).toEqual([]);
  });

  it('has mails in the language that the user chooses, and shows the code of the second factor large', async () => {
    const visitor = await owner();
    const { page } = visitor;
    await confirmByPassword(visitor, 'Two-step sign-in', 'Set up two-step sign-in');
    const code = page.getByRole('img', { name: 'QR code for your authenticator app' });
    expect((await code.boundingBox())?.width).toBeGreaterThan(230);
    const changed = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await page.getByLabel('Language').selectOption('de');
    expect((await (await changed).json()).user.language).toBe('de');
    const { language } = await browser.fleet.services.db.user.findUniqueOrThrow({ where: { id: visitor.id } });
    expect(language).toBe('de');
  });
});

it('the provider of the house is linked to the account, which its sign-in does not do by itself', async () => {
  const visitor = await browser.newVisitor('Ada');
  const { page } = visitor;
  const config: PageConfig = { ...PAGE_CONFIG, providers: ['oidc'], oidcName: 'Our School' };
  await visitor.replies('**/web/config.json', 200, config);
  let providers = ['credential'];
  await answerAccount(visitor, () => ({ providers }));
  await visitor.replies('**/api/auth/link-social', 200, { url: '/account?error=email_does_not_match' });
  await visitor.goto('/account');
  const asked = page.waitForRequest('**/api/auth/link-social');
  await visitor.press('Connect Our School');
  await page.getByRole('alert').getByText('needs the same email address').waitFor();
  const request = { provider: 'oidc', callbackURL: '/account', errorCallbackURL: '/account' };
  expect((await asked).postDataJSON()).toEqual(request);
  providers = ['credential', 'oidc'];
  await visitor.goto('/account');
  await page.getByText('You can sign in with Our School.').waitFor();
});

it('the own data are downloaded as a file, and a refusal is explained', async () => {
  const visitor = await owner();
  const { page } = visitor;
  const { file, text } = await visitor.downloads('Download your data');
  expect(file).toMatch(/\.json$/);
  expect(JSON.parse(text).account).toMatchObject({ userId: visitor.id, email: visitor.email });
  await visitor.replies('**/api/v1/account/export', 429, { code: 'RATE_LIMITED' });
  await visitor.press('Download your data');
  await page.getByRole('alert').getByText('That was a lot at once.').waitFor();
});

describe('deletion', () => {
  it('asks for the password once, and ends the account', async () => {
    const visitor = await owner();
    await confirmByPassword(visitor, 'Delete account', 'Delete account');
    await visitor.sees('Learn words by playing.');
    await enterSignIn(visitor, visitor.email, PASSWORD);
    await visitor.page.getByRole('alert').getByText('Wrong email or password').waitFor();
  });

  it('of an account without a password needs a fresh sign-in', async () => {
    const visitor = await browser.newVisitor('Ben');
    const { page } = visitor;
    await answerAccount(visitor, () => ({ providers: ['github'] }));
    let isFresh = false;
    await page.route('**/api/auth/delete-user', (route) =>
      isFresh
        ? route.continue()
        : route.fulfill({ status: 400, json: { code: 'SESSION_EXPIRED', message: 'Expired' } }),
    );
    await visitor.goto('/account');
    await visitor.sees('Delete account');
    await visitor.confirms('Delete account');
    await page.getByRole('button', { name: 'Continue with GitHub' }).waitFor();
    isFresh = true;
    await visitor.confirms('Delete account');
    await visitor.sees('Learn words by playing.');
  });
});
