// A visitor of the page: a window with its own cookies, and the steps that tests take in it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';

export interface Visitor extends ReturnType<typeof visitorAt> {}

/** A script that takes from the page what the oldest browsers lack: Chrome 109, Firefox 115 or Safari 16. */
export const OLD_BROWSER = `
  delete Intl.Segmenter;
  for (const name of ['toSorted', 'toReversed', 'toSpliced', 'with']) delete Array.prototype[name];
  for (const [holder, name] of [[Object, 'groupBy'], [Map, 'groupBy'], [Promise, 'withResolvers'], [URL, 'canParse']])
    delete holder[name];
  const check = (target, [pattern, ...rest]) => {
    if (/\\(\\?<[=!]/.test(pattern.source ?? pattern)) throw new SyntaxError('lookbehind');
    return new target(pattern, ...rest);
  };
  window.RegExp = new Proxy(RegExp, {
    construct: (target, given) => check(target, given),
    apply: (target, self, given) => check(target, given),
  });`;

/** A script that translates the page as Chrome does: it replaces each text, and those that are added, by elements. */
export const TRANSLATOR = `
  const translate = (node) => {
    if (node.nodeType === Node.ELEMENT_NODE) for (const child of [...node.childNodes]) translate(child);
    const element = node.nodeType === Node.TEXT_NODE && node.data.trim() && node.parentElement;
    if (!element || element.closest('[translate=no], font, script, style, option')) return;
    const inner = document.createElement('font');
    inner.textContent = node.data.toUpperCase();
    const outer = document.createElement('font');
    outer.append(inner);
    node.replaceWith(outer);
  };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) translate(node);
  }).observe(document, { childList: true, subtree: true });`;

export const newTab = async (window: BrowserContext, name: string): Promise<Visitor> =>
  visitorAt(await window.newPage(), name);

function visitorAt(page: Page, name: string) {
  /** The page's uncaught exceptions and violations of its content security policy. */
  const pageErrors: string[] = [];
  page.on('pageerror', (error) => pageErrors.push(String(error)));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) pageErrors.push(message.text());
  });
  const press = (button: string | RegExp) => page.getByRole('button', { name: button }).click();
  return {
    name,
    page,
    goto: async (path: string) => void (await page.goto(path)),
    /** Waits for a heading. */
    sees: (heading: string | RegExp) => page.getByRole('heading', { name: heading }).first().waitFor(),
    press,
    /** Fills in a form, whose fields are named by their labels, and presses its button. */
    async submits(fields: Record<string, string>, button: string) {
      for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
      await page.locator('form').getByRole('button', { name: button, exact: true }).click();
    },
    /** Presses a button, and that of the same name in the dialog that it opens. */
    async confirms(button: string) {
      await press(button);
      await page.locator('dialog[open]').last().getByRole('button', { name: button }).last().click();
    },
    /** Replies to the page's requests in place of the service. @param path such as its last part, with asterisks */
    replies: (path: string, status: number, json: object, headers: Record<string, string> = {}) =>
      page.route(path, (route) => route.fulfill({ status, headers, json })),
    /** Presses a button that downloads a file. @returns its name and text */
    async downloads(button: string | RegExp) {
      const [saved] = await Promise.all([page.waitForEvent('download'), press(button)]);
      return { file: saved.suggestedFilename(), text: readFileSync(await saved.path(), 'utf8') };
    },
    /** Opens a further window with the same cookies. */
    anotherTab: (): Promise<Visitor> => newTab(page.context(), name),
    async close() {
      expect(pageErrors).toEqual([]);
      await page.context().close();
    },
  };
}

/** Creates a lobby on the page. @returns its path, which is that of the invitation */
export async function openLobby(host: Visitor): Promise<string> {
  await host.goto('/');
  await host.press('Invite friends');
  await host.sees('Waiting room');
  return new URL(host.page.url()).pathname;
}

/** Presses one of the four options. @param index from 0 */
export async function choose({ page }: Visitor, index: number): Promise<void> {
  await page.locator('.option').nth(index).click();
}

/** Ends the result of a round, as a host or in a quiz, unless it has ended by itself. */
export async function goOn({ page }: Visitor): Promise<void> {
  const button = page.locator('.go-on .primary');
  if (await button.isVisible()) await button.click({ timeout: 10_000 }).catch(() => {});
}

/** Signs a stranger in by the form. */
export async function enterSignIn({ page, goto, submits }: Visitor, Email: string, Password: string): Promise<void> {
  await goto('/');
  await page.locator('.tabs').getByRole('button', { name: 'Sign in' }).click();
  await submits({ Email, Password }, 'Sign in');
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
/** The rules whose outcome depends on the colours. */
export const COLOUR_RULES = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** Runs axe-core on the screen. @throws AssertionError with its findings */
export async function expectAccessible(screen: string, { page }: Visitor, runOnly = RULES): Promise<void> {
  // The script is injected by the protocol, since the page's content security policy would block it.
  await page.evaluate(AXE);
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
  expect({ screen, found }).toEqual({ screen, found: [] });
}
