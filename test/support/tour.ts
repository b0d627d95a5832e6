// Visits every screen of the page once, for tests that inspect all of them.
import { randomUUID } from 'node:crypto';
import type { BrowserContextOptions } from 'playwright-core';
import { expect } from 'vitest';
import type { TestBrowser } from './browser.ts';
import { createLobbyAt, PATIENT } from './stage.ts';
import { choose, goOn, type Visitor } from './visitor.ts';

const START = 'Inizia il quiz';

const SET_UP = {
  totpURI:
    'otpauth://totp/Vocabulary%20Quiz:ada@example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Vocabulary%20Quiz',
  backupCodes: Array.from({ length: 10 }, (_, index) => `a1B2c-d3E4${index}`),
};

/** A script that opens all folded parts of the page. */
export const UNFOLD = `for (const fold of document.querySelectorAll('.collapsible')) fold.open = true`;

/** @param screen the screen's name in reports */
export type InspectScreen = (screen: string, visitor: Visitor) => Promise<void>;

/**
 * Visits all screens of accounts, word lists, homework, quizzes, games, progress and the presenter's stage, in Italian.
 * @param inspect is called on each screen once it is complete
 */
export async function tour(
  { newVisitor, newStranger }: Pick<TestBrowser, 'newVisitor' | 'newStranger'>,
  options: BrowserContextOptions,
  inspect: InspectScreen,
): Promise<void> {
  const italian = { locale: 'it-IT', ...options };
  const stranger = await newStranger('Dora', italian);
  const [ada, ben] = [await newVisitor('Ada', italian), await newVisitor('Ben', italian)];
  await tourOfAccounts(stranger, inspect);
  await tourOfAccountScreen(ada, inspect);
  await tourOfLists(ada, inspect);
  await tourOfHomework(ada, inspect);
  await tourOfQuiz(ada, inspect);
  await tourOfGame(ada, ben, inspect);
  await tourOfLearning(ada, inspect);
  await tourOfStage(ada, ben, inspect);
}

/** Opens a screen if it has a path, waits for a part of it, and inspects it. */
async function see(visitor: Visitor, inspect: InspectScreen, screen: string, part: string, path?: string) {
  if (path) await visitor.goto(path);
  await visitor.page.locator(part).first().waitFor();
  await inspect(screen, visitor);
}

const SUBMIT = 'form button.primary[type=submit]';

async function tourOfAccounts(visitor: Visitor, inspect: InspectScreen): Promise<void> {
  const { page } = visitor;
  const submit = page.locator(SUBMIT);
  await visitor.goto('/');
  await submit.waitFor();
  await page.locator('.option').first().click();
  await inspect('landing page, to sign up', visitor);
  await visitor.press('Accedi');
  await page.locator('[name=email]').fill('nobody@example.com');
  await page.locator('[name=password]').fill('not the password');
  await submit.click();
  await page.getByRole('alert').waitFor();
  await inspect('sign in, refused', visitor);
  await visitor.replies('**/api/auth/sign-in/email', 200, { twoFactorRedirect: true, twoFactorMethods: ['totp'] });
  await submit.click();
  await see(visitor, inspect, 'second step', '.check');
  await see(visitor, inspect, 'forgot password', SUBMIT, '/forgot-password');
  await see(visitor, inspect, 'reset password', SUBMIT, '/reset-password?token=x');
  await see(visitor, inspect, 'a link opened elsewhere', SUBMIT, '/verify?token=x');
  await see(visitor, inspect, 'a dead link', '[role=alert]', '/verified?error=TOKEN_EXPIRED');
  await visitor.goto('/');
  await page.locator('.tabs button').first().click();
  await page.locator('[name=name]').fill('Dora');
  await page.locator('[name=email]').fill(`dora-${randomUUID()}@example.com`);
  await page.locator('[name=password]').fill('correct horse');
  await submit.click();
  await see(visitor, inspect, 'check mail', '.notice a');
  await see(visitor, inspect, 'outbox', '.mails li', '/outbox');
}

async function tourOfAccountScreen(visitor: Visitor, inspect: InspectScreen): Promise<void> {
  const { page } = visitor;
  await page.route('**/api/v1/account', async (route) => {
    const account = await (await route.fetch()).json();
    await route.fulfill({ json: { ...account, providers: ['credential'] } });
  });
  await visitor.goto('/account');
  await page.locator('.devices li').first().waitFor();
  await page.locator('.danger').first().click();
  await inspect('account', visitor);
  await visitor.replies('**/api/auth/two-factor/enable', 200, SET_UP);
  await visitor.replies('**/api/auth/two-factor/verify-totp', 200, { user: {} });
  const part = page.locator('.stack:nth-child(2) .card:nth-child(2)');
  await part.locator('button').click();
  await part.locator('input').fill('the password');
  await part.locator('[type=submit]').click();
  await part.locator('.qr').waitFor();
  await inspect('second factor', visitor);
  await part.locator('input').fill('123456');
  await part.locator('[type=submit]').click();
  await part.locator('.backup-codes').waitFor();
  await inspect('backup codes', visitor);
}

async function tourOfQuiz(visitor: Visitor, inspect: InspectScreen): Promise<void> {
  const { page } = visitor;
  await visitor.goto('/');
  await page.getByRole('button', { name: START }).waitFor();
  await inspect('home', visitor);
  await page.evaluate(UNFOLD);
  await inspect('home, unfolded', visitor);
  // If `inspect` has resized the page, the page has folded its parts again.
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
  await visitor.press(START);
  for (let index = 0; index < 5; index++) {
    await page.locator('.option-plain').first().waitFor();
    if (index === 0) await inspect('question', visitor);
    await choose(visitor, index % 4);
    await page.locator('.verdict').waitFor();
    if (index < 3) await inspect('verdict', visitor);
    await page.locator('.verdict button').last().click();
  }
  await see(visitor, inspect, 'quiz result', '.big-score');
}

async function tourOfGame(host: Visitor, guest: Visitor, inspect: InspectScreen): Promise<void> {
  const { page } = host;
  await host.goto('/');
  await host.press('Invita gli amici');
  await see(host, inspect, 'waiting alone', '.qr');
  await guest.goto(new URL(page.url()).pathname);
  await page.locator('.players li').nth(1).waitFor();
  await inspect('waiting together', host);
  await host.press('Lascia');
  await inspect('leaving', host);
  await page.locator('dialog[open] button').first().click();
  // The longest intermission leaves the time to inspect each result.
  await page.locator('.actions .secondary').first().click();
  await page.locator('.host-dialog').getByRole('radio').nth(-1).waitFor();
  await inspect('settings', host);
  await page.locator('.host-dialog input[value="300000"]').last().check();
  await page.keyboard.press('Escape');
  await host.press('Inizia la partita');
  for (let round = 1; round <= 3; round++) {
    await page.locator('.option-plain').first().waitFor();
    await guest.page.locator('.option-plain').first().waitFor();
    await inspect('round', host);
    await choose(host, 0);
    await page.locator('.locked p').waitFor();
    if (round === 2) await inspect('locked', host);
    await choose(guest, 1);
    await page.locator('.go-on').waitFor();
    if (round === 3) await inspect('round result', host);
    await goOn(host);
    await goOn(guest);
  }
  await page.locator('.standings').first().waitFor();
  await see(host, inspect, 'podium', '.actions.centered');
  await see(host, inspect, 'no such game', '.lead', '/lobby/000000');
}

async function tourOfStage(host: Visitor, player: Visitor, inspect: InspectScreen): Promise<void> {
  const { page } = host;
  const next = page.locator('.stage-actions .primary');
  const { code } = await createLobbyAt(host, { hostPlays: false, rounds: 1, ...PATIENT });
  await see(host, inspect, 'stage, empty', '.stage .qr');
  await player.goto(`/lobby/${code}`);
  await see(host, inspect, 'stage, gathering', '.stage-names li');
  const remote = await host.anotherTab();
  await remote.goto(`/lobby/${code}/remote`);
  await remote.page.locator('.remote-next').waitFor();
  await inspect('remote', remote);
  await remote.page.locator('.players button').first().click();
  await inspect('removing a player', remote);
  await remote.page.close();
  await next.click();
  await see(host, inspect, 'stage, asking', '.scene-round .answered');
  await choose(player, 0);
  await see(host, inspect, 'stage, solved', '.scene-result');
  await next.click();
  await see(host, inspect, 'stage, winners', '.scene-podium');
}

/** A pasted table with words in a right-to-left script and with invalid lines. */
const TABLE = [
  'house\tבית',
  'train\tרכבת\tthe long one, on rails',
  'ticket\tכרטיס',
  'platform\tרציף',
  'delay\t',
  'a\tb\tc\td',
].join('\n');

/** Pastes words into the field for a list's words, and adds them after the preview. */
export async function pasteWords(visitor: Visitor, text: string): Promise<void> {
  await showPasted(visitor, text);
  await visitor.page.locator('.import-preview .primary').click();
}

export async function showPasted({ page }: Visitor, text: string): Promise<void> {
  await page.locator('textarea').waitFor();
  // The paste event has its own data, since browsers do not let a test write to the real clipboard.
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    const options = { clipboardData, bubbles: true, cancelable: true };
    document.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', options));
  }`);
  await page.locator('.import-preview').waitFor();
}

async function tourOfLists(visitor: Visitor, inspect: InspectScreen): Promise<void> {
  const { page } = visitor;
  await see(visitor, inspect, 'no lists', '.lead', '/lists');
  await visitor.goto('/lists/new');
  await page.locator('[name=list]').fill('On the way');
  await page.locator('select').nth(1).selectOption('he');
  await showPasted(visitor, TABLE);
  await inspect('preview of words', visitor);
  await page.locator('.import-preview .primary').click();
  await page.locator('.term-bad').nth(1).waitFor();
  await page.locator('.term button').first().click();
  await page.locator('.row-form').waitFor();
  // At the end of the page the bar with the buttons covers no row.
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await inspect('new list, with bad lines', visitor);
  await page.locator('.row-form button').nth(2).click();
  for (const left of [1, 0]) {
    await page.locator('.term-bad button').first().click();
    await page.locator('.row-form button').nth(1).click();
    await page.locator('.term-bad').nth(left).waitFor({ state: 'detached' });
  }
  await page.locator('.check input').check();
  await page.locator('.save-bar .primary').click();
  await see(visitor, inspect, 'own list', '.danger');
  await see(visitor, inspect, 'lists', '.entries li', '/lists');
  await visitor.goto('/');
  await page.locator('main select').first().waitFor({ state: 'attached' });
  await inspect('home, with lists', visitor);
}

/** Sets homework whose answers are typed, and begins to do it. */
async function tourOfHomework(visitor: Visitor, inspect: InspectScreen): Promise<void> {
  const { page } = visitor;
  await visitor.goto('/homework/new');
  await page.locator('[name=title]').fill('Unit 3');
  await page.locator('input[value=typed]').check();
  await inspect('new homework', visitor);
  await page.locator('form [type=submit]').click();
  await page.locator('.share-card .qr').waitFor();
  await page.locator('.columns-homework > .stack').first().locator('.card').waitFor();
  await inspect('own homework', visitor);
  await page.locator('.take button').click();
  const field = page.locator('.typed input');
  await field.waitFor();
  await inspect('typed question', visitor);
  await field.fill('nothing of the kind');
  await page.keyboard.press('Enter');
  await see(visitor, inspect, 'typed verdict', '.verdict');
  await see(visitor, inspect, 'homework', '.entries li', '/homework');
}

/** Visits progress and past games; the visitor must have played a quiz and a game. */
async function tourOfLearning(visitor: Visitor, inspect: InspectScreen): Promise<void> {
  const { page } = visitor;
  await visitor.goto('/progress');
  await page.locator('.stages > li').first().waitFor();
  await see(visitor, inspect, 'progress', '.calendar');
  await see(visitor, inspect, 'past games', '.entry-link', '/games');
  await page.locator('.entry-link').first().click();
  await page.locator('.groups summary').first().click();
  await see(visitor, inspect, 'a past game', '.answer-list');
}
