// A person at the page to play on: a window of their own, and what they do in it.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Chromium } from './chromium.ts';
import type { Fleet } from './fleet.ts';
import { createSignedInUser } from './users.ts';

export interface Visitor {
  name: string;
  page: Page;
  /** Whatever went wrong inside the page: exceptions, and what its security policy has blocked. */
  troubles: string[];
  goto(path: string): Promise<void>;
  /** Waits for a title on the screen. */
  sees(heading: string | RegExp): Promise<void>;
  press(button: string | RegExp): Promise<void>;
  /** One more window of the same person. */
  anotherTab(): Promise<Visitor>;
  close(): Promise<void>;
}

/** Opens a window of somebody who is not signed in. */
export async function arrive(
  { url }: Pick<Fleet, 'url'>,
  chromium: Chromium,
  name: string,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await chromium.open({ baseURL: url, ...options });
  return visitorAt(await context.newPage(), name);
}

/** Opens a window of a new user who is signed in. */
export async function arriveSignedIn(
  fleet: Pick<Fleet, 'url' | 'services'>,
  chromium: Chromium,
  name: string,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const visitor = await arrive(fleet, chromium, name, options);
  const { cookie } = await createSignedInUser(fleet.services, { name });
  const at = cookie.indexOf('=');
  await visitor.page
    .context()
    .addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url: fleet.url }]);
  return visitor;
}

function visitorAt(page: Page, name: string): Visitor {
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) troubles.push(message.text());
  });
  return {
    name,
    page,
    troubles,
    async goto(path) {
      await page.goto(path);
    },
    sees: (heading) => page.getByRole('heading', { name: heading }).first().waitFor(),
    press: (button) => page.getByRole('button', { name: button }).click(),
    anotherTab: async () => visitorAt(await page.context().newPage(), name),
    async close() {
      expect(troubles).toEqual([]);
      await page.context().close();
    },
  };
}

/** Opens a lobby over the page. @returns its path, which is the invitation */
export async function openLobby(host: Visitor): Promise<string> {
  await host.goto('/');
  await host.press('Invite friends');
  await host.sees('Waiting room');
  return new URL(host.page.url()).pathname;
}

/** As a host in the waiting room: results stay until the host goes on. */
export async function goOnByHand({ page, press }: Visitor): Promise<void> {
  await press('Settings');
  await page.getByLabel('Until I go on').check();
  await press('Close');
}

/** Presses one of the four answers, from 0. */
export async function choose({ page }: Visitor, index: number): Promise<void> {
  await page.locator('.option').nth(index).click();
}

/** Leaves the result of a round, as the host or alone, unless it has gone by itself meanwhile. */
export async function goOn({ page }: Visitor): Promise<void> {
  const button = page.locator('.go-on .primary');
  if (await button.isVisible()) await button.click({ timeout: 5000 }).catch(() => {});
}
