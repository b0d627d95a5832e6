// Tests the installed page: what browsers need to install it, that it opens without a network and says so, and what
// browsers show that can't run it.
import { expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { answer, createLobbyAt, newPupil, PATIENT } from '../support/stage.ts';
import { choose, type Visitor } from '../support/visitor.ts';

const browser = useBrowser();

/** @returns the paths of what the service worker keeps */
const keptPaths = ({ page }: Visitor) =>
  page.evaluate<string[]>(`caches.open('shell').then(async (cache) =>
    (await cache.keys()).map(({ url }) => new URL(url).pathname))`);

it('the page can be installed, and opens without a network in the user’s language', async () => {
  const visitor = await browser.newVisitor('Ada', { path: '/', serviceWorkers: 'allow', locale: 'de-AT' });
  const { page } = visitor;
  await visitor.sees('Hallo, Ada');
  const { icons } = await page.evaluate<{ icons: { src: string }[] }>(`
    fetch(document.querySelector('link[rel=manifest]').href).then((reply) => reply.json())`);
  for (const { src } of icons) {
    const icon = await page.request.get(src);
    expect([src, icon.status(), icon.headers()['content-type']]).toEqual([src, 200, 'image/png']);
  }
  // The worker keeps what the first visit has loaded.
  await expect
    .poll(() => keptPaths(visitor))
    .toEqual(expect.arrayContaining(['/', expect.stringMatching(/\/de-.*\.js$/)]));

  await page.context().setOffline(true);
  await visitor.goto('/progress');
  await page.getByText('Der Dienst ist nicht erreichbar.').waitFor();
  expect(await page.getByText('Ada').count()).toBe(0);
  expect(await page.evaluate(`fetch('/api/v1/progress').then(() => 'answered', () => 'failed')`)).toBe('failed');
  await page.context().setOffline(false);
  await visitor.sees('Dein Fortschritt');
});

it('only the page itself is kept, whatever else of the service is opened', async () => {
  const { page, goto } = await browser.newVisitor('Ada', { path: '/', serviceWorkers: 'allow' });
  await page.evaluate('navigator.serviceWorker.ready');
  const kept = () =>
    page.evaluate<[string, string][]>(`caches.open('shell').then(async (cache) =>
      Promise.all((await cache.matchAll()).map(async (reply) =>
        [reply.url, /^text.html/.test(reply.headers.get('content-type')) ? await reply.text() : '']))
    )`);
  await expect.poll(async () => (await kept()).some(([, html]) => html !== '')).toBe(true);
  const before = await kept();
  const opened = ['/web/config.json', '/manifest.webmanifest', '/logo.svg', '/web/outbox.json'];
  for (const path of [...opened, '/reset-password?token=a-secret-token']) await goto(path);
  await page.getByRole('button').first().waitFor();
  await expect.poll(kept).toEqual(expect.arrayContaining(before));
  expect(JSON.stringify(await kept())).not.toContain('a-secret-token');
});

it('a new version of the page replaces the kept one', async () => {
  const visitor = await browser.newVisitor('Ada', { path: '/', serviceWorkers: 'allow' });
  const { page } = visitor;
  await page.evaluate('navigator.serviceWorker.ready');
  await page.evaluate(`caches.open('shell').then(async (cache) => {
    await cache.put('/', new Response('<p>Old</p>'));
    await cache.put('/assets/old.js', new Response(''));
  })`);
  await page.reload();
  await visitor.sees('Hello, Ada');
  await expect.poll(() => keptPaths(visitor)).not.toContain('/assets/old.js');
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText('The service can’t be reached.').waitFor();
});

it('a browser that can’t read the page’s script shows a sentence in its place', async () => {
  const { page, goto } = await browser.newStranger('Ada', { javaScriptEnabled: false });
  await goto('/');
  await page.getByText('This page needs JavaScript and a newer browser').waitFor();
  await page.getByText('Diese Seite braucht JavaScript und einen neueren Browser.').waitFor();
  const other = await browser.newVisitor('Ben', { path: '/' });
  await other.sees('Hello, Ben');
  expect(await other.page.getByText('Diese Seite braucht JavaScript').isVisible()).toBe(false);
});

it('[contract 24] where a proxy begins to let no WebSocket through, the game goes on within 5 s of the second failure, and a line says why', async () => {
  const host = await browser.newVisitor('Ada');
  const { page } = host;
  // A blocked upgrade is answered by something else than 101.
  await page.addInitScript(`{
    const { WebSocket } = window;
    const open = new Set();
    window.failures = [];
    window.block = () => {
      window.isBlocked = true;
      for (const socket of open) socket.close();
    };
    window.WebSocket = class extends WebSocket {
      constructor(url) {
        super(window.isBlocked ? url.replace(/ws$/, 'blocked') : url);
        open.add(this);
        this.addEventListener('error', () => window.failures.push(performance.now()));
      }
    };
  }`);
  const { code } = await createLobbyAt(host, { ...PATIENT, rounds: 2 });
  const ben = await newPupil(browser, 'Ben', code);
  await page.getByText('Ben').first().waitFor();
  await host.press('Start the game');
  await host.sees('Round 1 of 2');
  await page.evaluate('window.block()');
  await page.locator('.connection', { hasText: 'blocks live connections' }).waitFor();
  const waitedMs = await page.evaluate<number>('performance.now() - window.failures[1]');
  expect(waitedMs).toBeLessThan(5000);
  await choose(host, 0);
  await answer(ben, 1, 0);
  await host.sees('Result of round 1');
  await host.page.locator('.go-on .primary').click();
  await host.sees('Round 2 of 2');
});
