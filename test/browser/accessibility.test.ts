// Tests the page's accessibility: axe-core on every screen in both colour schemes, the layout from 320 px on
// and with enlarged text, reduced motion, and screen readers. [WCAG 2.2 AA]
import type { ViewportSize } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { tour } from '../support/tour.ts';
import { COLOUR_RULES, choose, expectAccessible, openLobby, type Visitor } from '../support/visitor.ts';

const PHONE_PX = 390;
const WIDTHS_PX = [320, PHONE_PX, 1280];
/** The width of a window whose text is twice as large. */
const LARGE_TEXT_PX = 640;
/** The least width and height of what a pupil taps, CSS px. [WCAG 2.5.5] */
const TARGET_PX = 44;
/** Links in a sentence and the controls of hosts are exempt. A field in a label is as large as the label. [WCAG 2.5.5] */
const TARGETS =
  'button:not(.host-more, .swap, .players button), summary, select, input:not(label input), a:not(p a), label:has(input)';
/** The screens of the tour that pupils use on phones. */
const PUPILS_SCREENS = /^(home|question|verdict|typed|quiz result|waiting|round|locked|podium)/;
const CALM = { reducedMotion: 'reduce' } as const;

const browser = useBrowser();

/** Expects that no part of the page is cut off or needs horizontal scrolling. */
async function expectToFit(screen: string, { page }: Visitor): Promise<void> {
  const overflow = await page.evaluate<string[]>(`
    [...document.querySelectorAll('body *')]
      .filter((node) => !node.closest('.visually-hidden, svg, select'))
      .filter((node) => node.getBoundingClientRect().right > innerWidth + 1)
      .map((node) => node.outerHTML.slice(0, 120))`);
  const width = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  expect({ screen, overflow, width: Math.max(0, width) }).toEqual({ screen, overflow: [], width: 0 });
}

/** Expects that everything on a pupil's screen is large enough for a thumb. [WCAG 2.5.5] */
async function expectTappable(screen: string, { page }: Visitor): Promise<void> {
  const small = await page.evaluate<string[]>(`
    [...document.querySelectorAll('${TARGETS}')]
      .filter((node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((node) => !node.closest('.visually-hidden'))
      .map((node) => [node, node.getBoundingClientRect()])
      .filter(([, { width, height }]) => width < ${TARGET_PX} || height < ${TARGET_PX})
      .map(([node, { width, height }]) =>
        Math.round(width) + 'x' + Math.round(height) + ' ' + node.outerHTML.slice(0, 100))`);
  expect({ screen, small }).toEqual({ screen, small: [] });
}

/** Checks the layout at each width, and with text twice as large, and restores the page. */
async function expectToFitAnywhere(screen: string, visitor: Visitor): Promise<void> {
  const { page } = visitor;
  const before = page.viewportSize() as ViewportSize;
  for (const width of WIDTHS_PX) {
    await page.setViewportSize({ width, height: 700 });
    await expectToFit(`${screen} at ${width} px`, visitor);
    if (width === PHONE_PX && PUPILS_SCREENS.test(screen)) await expectTappable(screen, visitor);
  }
  const setSize = (size: string) => page.evaluate(`document.documentElement.style.fontSize = '${size}'`);
  await page.setViewportSize({ width: LARGE_TEXT_PX, height: 800 });
  await setSize('200%');
  await expectToFit(`${screen} with large text`, visitor);
  await setSize('');
  await page.setViewportSize(before);
}

it('on no screen axe-core finds a problem, in light or dark, and nothing is cut off, nor with text twice as large', async () => {
  let checked = 0;
  // Elements must not move while they are measured.
  await tour(browser, { ...CALM, viewport: { width: 1280, height: 800 } }, async (screen, visitor) => {
    await expectAccessible(screen, visitor);
    await visitor.page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(`${screen}, dark`, visitor, COLOUR_RULES);
    await visitor.page.emulateMedia({ colorScheme: 'light' });
    await expectToFitAnywhere(screen, visitor);
    checked++;
  });
  expect(checked).toBeGreaterThan(15);
  console.log(`axe-core: ${checked} screens, 0 violations`);
}, 400_000);

it('reduced motion turns all animations off', async () => {
  const visitor = await browser.newVisitor('Ada', { ...CALM, path: '/' });
  await visitor.press('Start the quiz');
  await visitor.page.locator('.option').first().waitFor();
  const moving = await visitor.page.evaluate<string[]>(`
    document.getAnimations()
      .filter((animation) => animation.effect.getComputedTiming().duration > 0)
      .map((animation) => String(animation.animationName ?? animation.transitionProperty))`);
  expect(moving).toEqual([]);
});

describe('a screen reader', () => {
  /** @returns the announcements of the live region since the page was opened */
  async function listen({ page }: Visitor): Promise<() => Promise<string[]>> {
    await page.addInitScript(`
      window.said = [];
      new MutationObserver(() => {
        const text = document.querySelector('[aria-live=polite]')?.innerText;
        if (text && text !== said.at(-1)) said.push(text);
      }).observe(document, { childList: true, subtree: true, characterData: true });
    `);
    return () => page.evaluate<string[]>('said');
  }

  it('reads each question, which gets the focus, and each verdict', async () => {
    const visitor = await browser.newVisitor('Ada');
    const said = await listen(visitor);
    await visitor.goto('/');
    await visitor.press('Start the quiz');
    await visitor.sees('Question 1 of 10');
    const focused = visitor.page.locator(':focus');
    expect(await focused.getAttribute('id')).toBe('prompt');
    const prompt = visitor.page.locator('#prompt > span');
    expect(await prompt.getAttribute('lang')).toBe('en');
    expect(await visitor.page.locator('.option [lang=it]').count()).toBe(4);
    await choose(visitor, 0);
    await visitor.page.locator('.verdict').waitFor();
    await expect.poll(async () => (await said()).at(-1)).toMatch(/^(Right!|Not quite)/);
    expect(await focused.innerText()).toBe('Next question');
  });

  it('announces who joins the lobby, and that the time is short', async () => {
    const host = await browser.newVisitor('Ada');
    const guest = await browser.newVisitor('Ben');
    const said = await listen(host);
    await guest.goto(await openLobby(host));
    await host.page.getByText('2 of 8 here').waitFor();
    await expect.poll(said).toContain('Ben is here.');
    await host.press('Settings');
    await host.page.getByRole('group', { name: 'Time to answer' }).getByLabel('10 s').check();
    await host.press('Close');
    await host.press('Start the game');
    await expect.poll(said).toContainEqual(expect.stringMatching(/^[1-5] seconds? left$/));
  });

  it('gets the language of the page, which can be changed', async () => {
    const visitor = await browser.newStranger('Ada', { locale: 'it-IT' });
    const language = () => visitor.page.locator('html').getAttribute('lang');
    await visitor.goto('/');
    await visitor.sees('Impara le parole giocando.');
    await expect.poll(language).toBe('it');
    await visitor.page.getByLabel('Lingua della pagina').selectOption('English');
    await visitor.sees('Learn words by playing.');
    await expect.poll(language).toBe('en');
    await visitor.page.reload();
    await visitor.sees('Learn words by playing.');
  });
});
