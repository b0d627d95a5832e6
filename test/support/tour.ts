// Every screen of the page once, for tests that look at each of them.
import { randomUUID } from 'node:crypto';
import type { BrowserContextOptions } from 'playwright-core';
import { expect } from 'vitest';
import type { TestBrowser } from './browser.ts';
import { createLobbyAt } from './stage.ts';
import { choose, goOn, type Visitor } from './visitor.ts';
import { tourOfLearning, tourOfLists } from './words-tour.ts';

/** What is written on the buttons on the way. */
export interface Texts {
  signIn: string;
  signUp: string;
  start: string;
  invite: string;
  startGame: string;
  leave: string;
}

export const ENGLISH: Texts = {
  signIn: 'Sign in',
  signUp: 'Create account',
  start: 'Start the quiz',
  invite: 'Invite friends',
  startGame: 'Start the game',
  leave: 'Leave',
};

export const ITALIAN: Texts = {
  signIn: 'Accedi',
  signUp: 'Crea un account',
  start: 'Inizia il quiz',
  invite: 'Invita gli amici',
  startGame: 'Inizia la partita',
  leave: 'Lascia',
};

const SET_UP = {
  totpURI:
    'otpauth://totp/Vocabulary%20Quiz:ada@example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Vocabulary%20Quiz',
  backupCodes: Array.from({ length: 10 }, (_, index) => `a1B2c-d3E4${index}`),
};

/** Opens what is folded. */
export const UNFOLD = `for (const fold of document.querySelectorAll('.fold')) fold.open = true`;

/** @param screen what it is called in a report */
export type Look = (screen: string, visitor: Visitor) => Promise<void>;

/**
 * Goes through all screens: of the accounts, of own lists, of a quiz for one, of a game of two.
 * @param look is given each screen when it stands
 */
export async function tour(
  { newVisitor, newStranger }: Pick<TestBrowser, 'newVisitor' | 'newStranger'>,
  options: BrowserContextOptions,
  texts: Texts,
  look: Look,
): Promise<void> {
  const stranger = await newStranger('Dora', options);
  const [ada, ben] = [await newVisitor('Ada', options), await newVisitor('Ben', options)];
  await tourOfAccounts(stranger, texts, look);
  await tourOfAccountScreen(ada, look);
  await tourOfLists(ada, look);
  await tourOfQuiz(ada, texts, look);
  await tourOfGame(ada, ben, texts, look);
  await tourOfLearning(ada, look);
  await tourOfStage(ada, ben, look);
}

async function tourOfAccounts(visitor: Visitor, texts: Texts, look: Look): Promise<void> {
  const { page } = visitor;
  const submit = page.locator('form button.primary[type=submit]');
  await visitor.goto('/');
  await submit.waitFor();
  await look('sign up', visitor);
  await visitor.press(texts.signIn);
  await page.locator('[name=email]').fill('nobody@example.com');
  await page.locator('[name=password]').fill('not the password');
  await submit.click();
  await page.getByRole('alert').waitFor();
  await look('sign in, refused', visitor);
  await page.route('**/api/auth/sign-in/email', (route) =>
    route.fulfill({ json: { twoFactorRedirect: true, twoFactorMethods: ['totp'] } }),
  );
  await submit.click();
  await page.locator('.check').waitFor();
  await look('second step', visitor);
  await visitor.goto('/forgot-password');
  await submit.waitFor();
  await look('forgot password', visitor);
  await visitor.goto('/reset-password?token=x');
  await submit.waitFor();
  await look('reset password', visitor);
  await visitor.goto('/verified?error=TOKEN_EXPIRED');
  await page.getByRole('alert').waitFor();
  await look('a dead link', visitor);
  await visitor.goto('/');
  await page.locator('.tabs button').first().click();
  await page.locator('[name=name]').fill('Dora');
  await page.locator('[name=email]').fill(`dora-${randomUUID()}@example.com`);
  await page.locator('[name=password]').fill('correct horse');
  await submit.click();
  await page.locator('.notice a').waitFor();
  await look('check mail', visitor);
  await visitor.goto('/outbox');
  await page.locator('.mails li').first().waitFor();
  await look('outbox', visitor);
}

async function tourOfAccountScreen(visitor: Visitor, look: Look): Promise<void> {
  const { page } = visitor;
  await page.route('**/api/auth/list-accounts', (route) =>
    route.fulfill({ json: [{ providerId: 'credential' }] }),
  );
  await visitor.goto('/account');
  await page.locator('.devices li').first().waitFor();
  await page.locator('.danger').first().click();
  await look('account', visitor);
  await page.route('**/api/auth/two-factor/enable', (route) => route.fulfill({ json: SET_UP }));
  await page.route('**/api/auth/two-factor/verify-totp', (route) =>
    route.fulfill({ json: { user: {} } }),
  );
  const part = page.locator('.stack:nth-child(2) .card:nth-child(2)');
  await part.locator('button').click();
  await part.locator('input').fill('the password');
  await part.locator('[type=submit]').click();
  await part.locator('.qr').waitFor();
  await look('second factor', visitor);
  await part.locator('input').fill('123456');
  await part.locator('[type=submit]').click();
  await part.locator('.backup-codes').waitFor();
  await look('backup codes', visitor);
}

async function tourOfQuiz(visitor: Visitor, texts: Texts, look: Look): Promise<void> {
  const { page } = visitor;
  await visitor.goto('/');
  await page.getByRole('button', { name: texts.start }).waitFor();
  await look('home', visitor);
  await page.evaluate(UNFOLD);
  await look('home, unfolded', visitor);
  // Where the look has made the page wide and narrow again, it is folded anew.
  await expect
    .poll(async () => {
      await page.evaluate(UNFOLD);
      const fewest = page.locator('.choice-numbers input').first();
      return fewest.check({ timeout: 1000 }).then(
        () => fewest.isChecked(),
        () => false,
      );
    })
    .toBe(true);
  await visitor.press(texts.start);
  for (let index = 0; index < 5; index++) {
    await page.locator('.option-plain').first().waitFor();
    if (index === 0) await look('question', visitor);
    await choose(visitor, index % 4);
    await page.locator('.verdict').waitFor();
    if (index < 3) await look('verdict', visitor);
    await page.locator('.verdict button').click();
  }
  await page.locator('.big-score').waitFor();
  await look('quiz result', visitor);
}

async function tourOfGame(host: Visitor, guest: Visitor, texts: Texts, look: Look): Promise<void> {
  const { page } = host;
  await host.goto('/');
  await host.press(texts.invite);
  await page.locator('.qr').waitFor();
  await look('waiting alone', host);
  await guest.goto(new URL(page.url()).pathname);
  await page.locator('.players li').nth(1).waitFor();
  await look('waiting together', host);
  await host.press(texts.leave);
  await look('leaving', host);
  await page.locator('dialog[open] button').first().click();
  // Each result stays as long as it is looked at.
  await page.locator('.actions .secondary').first().click();
  await page.locator('.host-dialog').getByRole('radio').nth(-1).waitFor();
  await look('settings', host);
  await page.locator('.host-dialog input[value="300000"]').check();
  await page.keyboard.press('Escape');
  await host.press(texts.startGame);
  for (let round = 1; round <= 3; round++) {
    await page.locator('.option-plain').first().waitFor();
    await guest.page.locator('.option-plain').first().waitFor();
    await look('round', host);
    await choose(host, 0);
    await page.locator('.locked p').waitFor();
    if (round === 2) await look('locked', host);
    await choose(guest, 1);
    await page.locator('.go-on').waitFor();
    if (round === 3) await look('round result', host);
    await goOn(host);
    await goOn(guest);
  }
  await page.locator('.standings').first().waitFor();
  await page.locator('.actions.centered').waitFor();
  await look('podium', host);
  await host.goto('/lobby/000000');
  await page.locator('.lead').waitFor();
  await look('no such game', host);
}

async function tourOfStage(host: Visitor, pupil: Visitor, look: Look): Promise<void> {
  const { page } = host;
  const next = page.locator('.stage-actions .primary');
  const { code } = await createLobbyAt(host, {
    ...{ hostPlays: false, rounds: 1, roundMs: 300_000, intermissionMs: 300_000 },
  });
  await page.locator('.stage .qr').waitFor();
  await look('stage, empty', host);
  await pupil.goto(`/lobby/${code}`);
  await page.locator('.stage-names li').waitFor();
  await look('stage, gathering', host);
  await next.click();
  await page.locator('.scene-asking .answered').waitFor();
  await look('stage, asking', host);
  await choose(pupil, 0);
  await page.locator('.scene-solved').waitFor();
  await look('stage, solved', host);
  await next.click();
  await page.locator('.scene-winners').waitFor();
  await look('stage, winners', host);
}
