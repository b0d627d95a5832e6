// Tests the API's documents in a real browser: they load nothing from other origins, nothing is blocked, and
// requests that a reader tries are sent with the reader's session. [contract 7]
import { expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { expectAccessible } from '../support/visitor.ts';

const browser = useBrowser();

it('load from their own host only, and try an operation with the session of the user', async () => {
  const { page, sees, goto } = await browser.newVisitor('Ada');
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(browser.fleet.url))
      elsewhere.push(request.url());
  });
  await goto('/docs#tag/vocabulary/GET/api/v1/vocabulary');
  await sees('Vocabulary quiz service');
  await page.getByRole('button', { name: /Test Request.*vocabulary/i }).click();
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/api/v1/vocabulary')),
    page.getByRole('button', { name: /^Send get request/ }).click(),
  ]);
  expect(answer.status()).toBe(200);
  expect(elsewhere).toEqual([]);
});

it('have a console for the socket', async () => {
  const { page, press } = await browser.newVisitor('Ada', { path: '/docs/sockets' });
  await press('Connect');
  await page.getByText('● connected').waitFor();
  await press('Send');
  await page.getByText('LOBBY_NOT_FOUND').first().waitFor();
});

it('have the contract, with a heading for each section', async () => {
  const { page } = await browser.newVisitor('Ada', { path: '/docs/contract' });
  await page.getByRole('heading', { name: '5.9 Missing nothing' }).waitFor();
  await page.getByRole('cell', { name: 'LOBBY_NOT_FINISHED' }).first().waitFor();
  await page.getByRole('link', { name: '17', exact: true }).click();
  expect(page.url()).toMatch(/#17-limits-against-abuse$/);
  expect(await page.evaluate('scrollY')).toBeGreaterThan(0);
  expect(await page.getByRole('main').innerText()).not.toMatch(/\|---|\]\(|\*\*|`/);
});

it('have no problem that axe-core finds, light or dark', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const reader = await browser.newStranger('Ada', { path: '/docs', colorScheme });
    const { page } = reader;
    await page.getByRole('heading', { name: 'Vocabulary quiz service' }).waitFor();
    // The first group of operations is drawn by and by.
    await page.getByRole('link', { name: 'Answer a question' }).first().waitFor();
    await expectAccessible(`reference, ${colorScheme}`, reader);
    for (const path of ['/docs/sockets', '/docs/errors', '/docs/contract']) {
      await reader.goto(path);
      await page.locator('main :is(td, h2, h3)').first().waitFor();
      await expectAccessible(`${path}, ${colorScheme}`, reader);
    }
  }
});
