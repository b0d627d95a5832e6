// Tests the client library in a real browser, by an example page on another origin. [contract 15]
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Arena, startArena } from '../support/arena.ts';
import { type Chromium, startChromium } from '../support/browser.ts';
import { gather, type Player } from '../support/player.ts';
import { ROOT } from '../support/sources.ts';

const TYPES = { html: 'text/html', js: 'text/javascript' };

/** Serves the page and the built library. */
const site = createServer(({ url = '' }, response) => {
  const path = url.split('?')[0] as string;
  const file = path.startsWith('/client/') ? `dist${path}` : `src/client/examples${path}`;
  const type = TYPES[path.split('.').at(-1) as keyof typeof TYPES];
  if (!type) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': type }).end(readFileSync(join(ROOT, file)));
});

let arena: Arena;
let chromium: Chromium;
let siteUrl: string;
beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['src/client/build.ts'], { cwd: ROOT });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  arena = await startArena({ env: { ROUND_DURATION_MS: '30000', CORS_ORIGIN: siteUrl } });
  chromium = await startChromium();
});
afterAll(async () => {
  await chromium?.stop();
  await arena?.stop();
  site.close();
});

it('plays a lobby to its end', async () => {
  const [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
  const code = await gather([ada], { settings: { rounds: 2 } });
  const window = await chromium.open();
  const [name, value] = ben.user.cookie.split(/=(.*)/s) as [string, string];
  await window.addCookies([{ name, value, url: siteUrl, sameSite: 'Lax' }]);
  const page = await window.newPage();
  const service = encodeURIComponent(arena.replicas[0]?.url as string);
  await page.goto(`${siteUrl}/page.html?service=${service}&code=${code}`);
  await page.getByText('live').waitFor();
  ada.send({ type: 'lobby:start' });
  for (const round of [1, 2]) {
    const { question } = await ada.next('game:question', (event) => event.round === round);
    await page.getByRole('heading', { name: question.prompt, exact: true }).waitFor();
    await page.getByRole('button').first().click();
    ada.send({ type: 'game:answer', questionId: question.questionId, optionId: 0 });
  }
  await page.getByRole('heading', { name: 'The end' }).waitFor();
  // Both have chosen the first option of each question.
  const { scores } = await ada.next('game:finished');
  const shown = await page.getByRole('listitem').allInnerTexts();
  expect(shown.sort()).toEqual(scores.map(({ name, score }) => `${name}: ${score}`).sort());
});
