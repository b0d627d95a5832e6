// Tests sign-up, confirmation, sign-in and password reset on the page.
import { describe, expect, it } from 'vitest';
import type { PageConfig } from '../../src/web/frame/page-schema.ts';
import { useBrowser } from '../support/browser.ts';
import { PAGE_CONFIG } from '../support/edge.ts';
import { mailTo } from '../support/outbox.ts';
import { createSignedInUser, givePassword } from '../support/users.ts';
import { enterSignIn, openLobby, type Visitor } from '../support/visitor.ts';

const PASSWORD = 'correct horse battery';

const browser = useBrowser();
let count = 0;

const newAddress = () => `visitor-${count++}@example.com`;

/** Signs a stranger up on the page at this path. @returns the email address */
async function signUp({ name, goto, sees, submits }: Visitor, path = '/'): Promise<string> {
  const email = newAddress();
  await goto(path);
  await submits({ Name: name, Email: email, Password: PASSWORD }, 'Create account');
  await sees('Check your email');
  return email;
}

describe('a first visit', () => {
  it('offers the sign-up at once, and a development server links to its mail', async () => {
    const visitor = await browser.newStranger('Ada');
    const { page } = visitor;
    const email = await signUp(visitor);
    const [mails] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Open the mail here' }).click(),
    ]);
    await mails.locator('li', { hasText: email }).getByRole('link').click();
    // The waiting window signs in by itself, and the other one follows.
    await visitor.sees('Hello, Ada');
    await mails.getByRole('heading', { name: 'Hello, Ada' }).waitFor();
  });

  it('by an invitation leads to the waiting room', async () => {
    const host = await browser.newVisitor('Host');
    const invitation = await openLobby(host);
    const guest = await browser.newStranger('Ben');
    const email = await signUp(guest, invitation.toLowerCase());
    const { url } = await mailTo(browser.fleet.services.config, email);
    // The link is opened in another window of this browser.
    const mail = await guest.anotherTab();
    await mail.goto(url);
    await guest.sees('Waiting room');
    await host.page.getByText('2 of 8 here').waitFor();
  });

  it('that is interrupted continues with the link and a sign-in by hand', async () => {
    const visitor = await browser.newStranger('Ada');
    const email = await signUp(visitor);
    await visitor.press('I have confirmed it');
    await visitor.page.getByRole('alert').getByText('Not confirmed yet').waitFor();
    await visitor.press('Send the mail again');
    const { url } = await mailTo(browser.fleet.services.config, email, 2);
    await visitor.page.reload();
    await visitor.sees('Check your email');
    await visitor.goto(url);
    await visitor.sees('Your address is confirmed');
    await visitor.submits({ Password: PASSWORD }, 'Sign in');
    await visitor.sees('Hello, Ada');
  });
});

describe('the mail of a sign-up, opened on another device', () => {
  async function openElsewhere() {
    const visitor = await browser.newStranger('Ada');
    const email = await signUp(visitor);
    const { url } = await mailTo(browser.fleet.services.config, email);
    const phone = await browser.newStranger('Ada', { path: url, viewport: { width: 390, height: 844 } });
    await phone.sees('Confirm your address');
    await phone.page.getByText('in another browser than the one you signed up in').waitFor();
    return { visitor, phone, email };
  }

  async function signInOn({ sees, submits }: Visitor, email: string, password: string) {
    await sees('Your address is confirmed');
    await submits({ Email: email, Password: password }, 'Sign in');
    await sees('Hello, Ada');
  }

  it('asks for the password of the sign-up, and the waiting window continues', async () => {
    const { visitor, phone, email } = await openElsewhere();
    await phone.submits({ 'Password of your sign-up': 'not the password' }, 'Confirm the address');
    await phone.page.getByRole('alert').getByText('Wrong password.').waitFor();
    await phone.submits({ 'Password of your sign-up': PASSWORD }, 'Confirm the address');
    await signInOn(phone, email, PASSWORD);
    await visitor.press('I have confirmed it');
    await visitor.sees('Hello, Ada');
  });

  it('accepts a new name and password instead, with the keyboard only', async () => {
    const { phone, email } = await openElsewhere();
    await phone.page.getByRole('button', { name: 'Choose a new password instead' }).press('Enter');
    await phone.page.getByText('Only what you enter here will count').waitFor();
    await phone.page.keyboard.type('Ada');
    await phone.page.keyboard.press('Tab');
    await phone.page.keyboard.type('another horse');
    await phone.page.keyboard.press('Enter');
    await signInOn(phone, email, 'another horse');
  });
});

describe('a later visit', () => {
  /** @returns the email address of a new account with a password */
  async function account(): Promise<string> {
    const { services } = browser.fleet;
    const { id, email } = await createSignedInUser(services, { name: 'Ada' });
    await givePassword(services, id, PASSWORD);
    return email;
  }

  it('signs in and out in all windows', async () => {
    const visitor = await browser.newStranger('Ada');
    const email = await account();
    await enterSignIn(visitor, email, 'not the password');
    await visitor.page.getByRole('alert').getByText('Wrong email or password').waitFor();
    await enterSignIn(visitor, email, PASSWORD);
    await visitor.sees('Hello, Ada');
    const second = await visitor.anotherTab();
    await second.goto('/');
    await second.sees('Hello, Ada');
    await second.press('Sign out');
    await visitor.sees('Learn words by playing.');
    // The browser has stored that it has an account.
    await visitor.page.locator('form').getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it('with an address that was never confirmed leads to the mail', async () => {
    const visitor = await browser.newStranger('Ada');
    const email = newAddress();
    await browser.fleet.services.auth.api.signUpEmail({ body: { name: 'Ada', email, password: PASSWORD } });
    await enterSignIn(visitor, email, PASSWORD);
    await visitor.sees('Check your email');
    // The sign-up was in another browser, so that the link asks for the password.
    const mail = await visitor.anotherTab();
    await mail.goto((await mailTo(browser.fleet.services.config, email, 2)).url);
    await mail.submits({ 'Password of your sign-up': PASSWORD }, 'Confirm the address');
    await visitor.sees('Hello, Ada');
  });

  it('signs in by the provider of the house, and does not offer a sign-up by email if that is off', async () => {
    const { page, press, goto, replies } = await browser.newStranger('Ada');
    const config: PageConfig = { ...PAGE_CONFIG, providers: ['oidc'], oidcName: 'Our School', emailSignUp: false };
    await replies('**/web/config.json', 200, config);
    await replies('**/api/auth/sign-in/social', 200, { url: '/docs', redirect: true });
    await goto('/?error=account_not_linked');
    await page.getByRole('alert').getByText('There is an account with this address').waitFor();
    await page.locator('form').getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Create account' }).count()).toBe(0);
    const asked = page.waitForRequest('**/api/auth/sign-in/social');
    await press('Continue with Our School');
    await page.waitForURL('**/docs');
    expect((await asked).postDataJSON()).toEqual({ provider: 'oidc', callbackURL: '/' });
  });

  it('chooses a new password by mail', async () => {
    const visitor = await browser.newStranger('Ada');
    const email = await account();
    await visitor.goto('/');
    await visitor.press('Sign in');
    await visitor.page.getByRole('link', { name: 'Forgot your password?' }).click();
    await visitor.submits({ Email: email }, 'Send the link');
    await visitor.page.getByText(`If ${email} has an account here`).waitFor();
    const { url, subject } = await mailTo(browser.fleet.services.config, email);
    expect(subject).toContain('password');
    await visitor.goto(url);
    await visitor.submits({ 'New password': 'another horse' }, 'Save the password');
    await visitor.page.getByText('Your new password is saved').waitFor();
    await enterSignIn(visitor, email, 'another horse');
    await visitor.sees('Hello, Ada');
  });
});
