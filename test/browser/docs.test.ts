// The API's documents in a real browser: nothing comes from elsewhere, nothing is blocked, and what is
// tried goes out with the session of who reads. [contract 7]
import { expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';

const browser = useBrowser();

it('are drawn from our own host alone, and an operation is tried as who is signed in', async () => {
  const reader = await browser.newVisitor('Ada');
  const { page } = reader;
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(browser.fleet.url))
      elsewhere.push(request.url());
  });
  await reader.goto('/docs#tag/vocabulary/GET/api/v1/vocabulary');
  await reader.sees('Vocabulary quiz service');
  await page.getByRole('button', { name: /Test Request.*vocabulary/i }).click();
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/api/v1/vocabulary')),
    page.getByRole('button', { name: /^Send get request/ }).click(),
  ]);
  expect(answer.status()).toBe(200);
  expect(elsewhere).toEqual([]);
});

it('have a console for the socket, and all refusals', async () => {
  const reader = await browser.newVisitor('Ada');
  const { page } = reader;
  await reader.goto('/docs/sockets');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByText('● connected').waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('LOBBY_NOT_FOUND').first().waitFor();
  await page.getByRole('cell', { name: 'TOO_MANY_LISTS' }).waitFor();
});
