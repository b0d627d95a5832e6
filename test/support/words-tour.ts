// The screens of lists of one's own and of what one has learned, for tests that look at each of them.
import type { Look } from './tour.ts';
import type { Visitor } from './visitor.ts';

/** With lines that are wrong, and words from right to left. */
const TABLE = [
  'house\tבית',
  'train\tרכבת\tthe long one, on rails',
  'ticket\tכרטיס',
  'platform\tרציף',
  'delay\t',
  'a\tb\tc\td',
].join('\n');

/** Writes words where a list takes them. */
export async function pasteWords({ page }: Visitor, text: string): Promise<void> {
  await page.locator('textarea').waitFor();
  // As from a clipboard: browsers let no test write into the real one.
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    const options = { clipboardData, bubbles: true, cancelable: true };
    document.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', options));
  }`);
}

export async function tourOfLists(visitor: Visitor, look: Look): Promise<void> {
  const { page } = visitor;
  await visitor.goto('/lists');
  await page.locator('.lead').waitFor();
  await look('no lists', visitor);
  await visitor.goto('/lists/new');
  await page.locator('[name=list]').fill('On the way');
  await page.locator('select').nth(1).selectOption('he');
  await pasteWords(visitor, TABLE);
  await page.locator('.term-bad').nth(1).waitFor();
  await page.locator('.term button').first().click();
  await page.locator('.row-form').waitFor();
  await look('new list, with bad lines', visitor);
  await page.locator('.row-form button').nth(2).click();
  for (const left of [1, 0]) {
    await page.locator('.term-bad button').first().click();
    await page.locator('.row-form button').nth(1).click();
    await page.locator('.term-bad').nth(left).waitFor({ state: 'detached' });
  }
  await page.locator('.check input').check();
  await page.locator('.save-bar .primary').click();
  await page.locator('.danger').first().waitFor();
  await look('own list', visitor);
  await visitor.goto('/lists');
  await page.locator('.entries li').waitFor();
  await look('lists', visitor);
  await visitor.goto('/');
  await page.locator('main select').first().waitFor({ state: 'attached' });
  await look('home, with lists', visitor);
}

/** After a quiz and a game. */
export async function tourOfLearning(visitor: Visitor, look: Look): Promise<void> {
  const { page } = visitor;
  await visitor.goto('/progress');
  await page.locator('.stages > li').first().waitFor();
  await page.locator('.calendar').waitFor();
  await look('progress', visitor);
  await visitor.goto('/games');
  await page.locator('.entry-link').first().waitFor();
  await look('past games', visitor);
  await page.locator('.entry-link').first().click();
  await page.locator('.groups summary').first().click();
  await page.locator('.told').waitFor();
  await look('a past game', visitor);
}
