// Tests guests on the page: from an invitation to a game with a name only, and on to an account.
import { expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { mailTo } from '../support/outbox.ts';
import { choose, openLobby } from '../support/visitor.ts';

const PASSWORD = 'correct horse battery';
const EMAIL = 'guest@example.com';

const browser = useBrowser({ RATE_LIMIT_GUEST_MAX: '100000', GUESTS: 'true' });

it('a guest with an invitation plays after typing a name, and an account keeps the progress', async () => {
  const host = await browser.newVisitor('Host');
  const invitation = await openLobby(host);
  const ben = await browser.newStranger('Ben', { path: invitation });
  await ben.sees('You’re invited to play!');
  await ben.page.getByText(invitation.split('/').at(-1) ?? '').waitFor();
  await ben.page.getByLabel('Name').waitFor();
  await expect.poll(() => ben.page.locator(':focus').getAttribute('name')).toBe('name');
  await ben.page.keyboard.type('Ben');
  await ben.page.keyboard.press('Enter');
  await ben.sees('Waiting room');
  await host.press('Start the game');
  await choose(ben, 0);

  await ben.goto('/');
  await ben.sees('Hello, Ben');
  await ben.page.getByRole('link', { name: 'Your account' }).click();
  await ben.page.getByText('With an account').waitFor();
  await ben.submits({ Name: 'Ben', Email: EMAIL, Password: PASSWORD }, 'Create account');
  await ben.sees('Check your email');
  const { url } = await mailTo(browser.fleet.services.config, EMAIL);
  await (await ben.anotherTab()).goto(url);
  await ben.sees('Hello, Ben');
  await ben.goto('/account');
  await ben.sees('Your account');
});

it('a visitor joins a game by a code and a name, or plays a quiz by a name only', async () => {
  const host = await browser.newVisitor('Host');
  const ben = await browser.newStranger('Ben', { path: '/' });
  const code = (await openLobby(host)).split('/').at(-1) as string;

  await ben.submits({ 'Got a code?': code.toLowerCase() }, 'Join');
  await ben.submits({ Name: 'Ben' }, 'Play');
  await ben.sees('Waiting room');

  const cleo = await browser.newStranger('Cleo', { path: '/' });
  await cleo.submits({ Name: 'www.example.org' }, 'Play');
  await cleo.page.getByRole('alert').getByText('A name has 1 to 50 characters').waitFor();
  await cleo.submits({ Name: 'Cleo' }, 'Play');
  await cleo.sees('Hello, Cleo');

  const dan = await browser.newStranger('Dan', { path: `/lobby/${code}` });
  await dan.page.getByLabel('Name').fill('Dan');
  await host.press('Lock the room');
  await host.page.getByText('Locked: nobody else can join').waitFor();
  await dan.press('Play');
  await dan.page.getByText('The host has locked this game').waitFor();
  // Eve is told before a name is asked for.
  const eve = await browser.newStranger('Eve', { path: `/lobby/${code}` });
  await eve.page.getByText('The host has locked this game').waitFor();
  expect(await eve.page.getByLabel('Name').count()).toBe(0);
  await host.press('Unlock the room');
  await host.page.getByRole('button', { name: 'Lock the room' }).waitFor();
  await eve.press('Try again');
  await eve.page.getByLabel('Name').waitFor();
});

it('a mistyped link is told at once, in the words of what it leads to', async () => {
  const pupil = await browser.newStranger('Mia');
  for (const [path, text] of [
    ['/lobby/nonsense', 'There is no game with this code.'],
    ['/homework/ZZZZZZZZ', 'There is no assignment with this code.'],
    ['/lists/5b0f6d0a-3a0e-4a57-8f0b-1a9b8c7d6e5f', 'This list is not there'],
    // Only members, who have signed in elsewhere, need these screens.
    ['/lobby/ZZZZZZ/screen', 'There is no game with this code.'],
    ['/lobby/ZZZZZZ/remote', 'There is no game with this code.'],
  ] as const) {
    await pupil.goto(path);
    await pupil.page.getByText(text).waitFor();
    expect(await pupil.page.getByLabel('Name').count()).toBe(0);
  }
  await pupil.page.getByLabel('Email').waitFor();
  await pupil.goto('/lobby/nonsense');
  await pupil.submits({ 'Got a code?': 'ZZZZZZ' }, 'Join');
  await pupil.sees('You can’t join this game');
  // What was typed can be corrected.
  expect(await pupil.page.getByLabel('Got a code?').inputValue()).toBe('ZZZZZZ');
});

it('a user with an account can sign in instead, and a guest confirms a sign-out', async () => {
  const host = await browser.newVisitor('Host');
  const ben = await browser.newStranger('Ben', { path: await openLobby(host) });
  await ben.press('I have an account');
  await ben.page.locator('form').getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  await ben.page.reload();
  await ben.submits({ Name: 'Ben' }, 'Play');
  await ben.sees('Waiting room');
  await ben.press('Sign out');
  await ben.page.getByText('Everything you have played as a guest will be lost.').waitFor();
});

it('a session that ends in the middle of a quiz is told', async () => {
  const learner = await browser.newVisitor('Ada', { path: '/' });
  await learner.press('Start the quiz');
  await learner.sees('Question 1 of 10');
  await learner.page.context().clearCookies();
  await choose(learner, 0);
  await learner.page.getByText('Your session has ended').waitFor();
});
