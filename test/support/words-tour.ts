// Visits the screens of a user's word lists, homework, progress and past games, for tests that inspect all of them.
import type { InspectScreen } from './tour.ts';
import type { Visitor } from './visitor.ts';

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
export async function pasteWords({ page }: Visitor, text: string): Promise<void> {
  await page.locator('textarea').waitFor();
  // The paste event has its own data, since browsers do not let a test write to the real clipboard.
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    const options = { clipboardData, bubbles: true, cancelable: true };
    document.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', options));
  }`);
  await page.locator('.import-preview .primary').click();
}

export async function tourOfLists(visitor: Visitor, inspect: InspectScreen): Promise<void> {
  const { page } = visitor;
  await visitor.goto('/lists');
  await page.locator('.lead').waitFor();
  await inspect('no lists', visitor);
  await visitor.goto('/lists/new');
  await page.locator('[name=list]').fill('On the way');
  await page.locator('select').nth(1).selectOption('he');
  await pasteWords(visitor, TABLE);
  await page.locator('.term-bad').nth(1).waitFor();
  await page.locator('.term button').first().click();
  await page.locator('.row-form').waitFor();
  await inspect('new list, with bad lines', visitor);
  await page.locator('.row-form button').nth(2).click();
  for (const left of [1, 0]) {
    await page.locator('.term-bad button').first().click();
    await page.locator('.row-form button').nth(1).click();
    await page.locator('.term-bad').nth(left).waitFor({ state: 'detached' });
  }
  await page.locator('.check input').check();
  await page.locator('.save-bar .primary').click();
  await page.locator('.danger').first().waitFor();
  await inspect('own list', visitor);
  await visitor.goto('/lists');
  await page.locator('.entries li').waitFor();
  await inspect('lists', visitor);
  await visitor.goto('/');
  await page.locator('main select').first().waitFor({ state: 'attached' });
  await inspect('home, with lists', visitor);
}

/** Sets homework whose answers are typed, and begins to do it. */
export async function tourOfHomework(visitor: Visitor, inspect: InspectScreen): Promise<void> {
  const { page } = visitor;
  await visitor.goto('/homework/new');
  await page.locator('[name=title]').fill('Unit 3');
  await page.locator('input[value=typed]').check();
  await inspect('new homework', visitor);
  await page.locator('form [type=submit]').click();
  await page.locator('.share-card .qr').waitFor();
  await page.locator('#people').waitFor();
  await inspect('own homework', visitor);
  await page.locator('.take button').click();
  const field = page.locator('.typed input');
  await field.waitFor();
  await inspect('typed question', visitor);
  await field.fill('nothing of the kind');
  await page.keyboard.press('Enter');
  await page.locator('.verdict').waitFor();
  await inspect('typed verdict', visitor);
  await visitor.goto('/homework');
  await page.locator('.entries li').waitFor();
  await inspect('homework', visitor);
}

/** Visits progress and past games; the visitor must have played a quiz and a game. */
export async function tourOfLearning(visitor: Visitor, inspect: InspectScreen): Promise<void> {
  const { page } = visitor;
  await visitor.goto('/progress');
  await page.locator('.stages > li').first().waitFor();
  await page.locator('.calendar').waitFor();
  await inspect('progress', visitor);
  await visitor.goto('/games');
  await page.locator('.entry-link').first().waitFor();
  await inspect('past games', visitor);
  await page.locator('.entry-link').first().click();
  await page.locator('.groups summary').first().click();
  await page.locator('.answer-list').waitFor();
  await inspect('a past game', visitor);
}
