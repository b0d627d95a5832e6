// Tests the page by touch, as a pupil's phone: a class from its link to the podium, and the size of what is tapped.
import { expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { answer, createLobbyAt, newPupil } from '../support/stage.ts';
import type { Visitor } from '../support/visitor.ts';

const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
  reducedMotion: 'reduce',
} as const;
/** The least width and height of what a pupil taps, CSS px. [WCAG 2.5.5] */
const TARGET_PX = 44;
/** Links in a sentence are exempt. A field in a label is as large as the label. [WCAG 2.5.5] */
const TARGETS = 'button, summary, select, input:not(label input), a:not(p a), label:has(input)';

const browser = useBrowser({ GUESTS: 'true' });

/** Expects that everything on the screen is large enough to tap, and that nothing is beside it. */
async function expectTappable(screen: string, { page }: Visitor): Promise<void> {
  const small = await page.evaluate<string[]>(`
    [...document.querySelectorAll('${TARGETS}')]
      .filter((node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((node) => !node.closest('.visually-hidden'))
      .map((node) => [node, node.getBoundingClientRect()])
      .filter(([, { width, height }]) => width < ${TARGET_PX} || height < ${TARGET_PX})
      .map(([node, { width, height }]) =>
        Math.round(width) + 'x' + Math.round(height) + ' ' + node.outerHTML.slice(0, 100))`);
  const beside = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  expect({ screen, small, beside }).toEqual({ screen, small: [], beside: 0 });
}

it('a phone joins a class by its link, answers and sees the results, with targets that a thumb hits', async () => {
  const host = await browser.newVisitor('Ms Pert');
  const settings = { hostPlays: false, compact: true, rounds: 2, roundMs: 300_000, intermissionMs: 300_000 };
  const { code } = await createLobbyAt(host, settings, 200);
  const ben = await newPupil(browser, 'Ben', code);
  const mia = await browser.newStranger('Mia', PHONE);
  const { page } = mia;
  const tap = (name: string) => page.getByRole('button', { name }).tap();
  await mia.goto('/');
  await page.getByRole('button', { name: 'Host a class' }).waitFor();
  await page.locator('.option').first().tap();
  await expectTappable('landing page', mia);
  await mia.goto(`/lobby/${code}`);
  await mia.sees('You’re invited to play!');
  await expectTappable('invitation', mia);
  await page.getByLabel('Name').tap();
  await page.keyboard.type('Mia');
  await tap('Play');
  await mia.sees('Waiting room');
  await expectTappable('waiting room', mia);

  await host.press('Start the game');
  await page.locator('.option-plain').first().waitFor();
  await expectTappable('round', mia);
  await page.locator('.option').nth(2).tap();
  await page.getByText('Your answer is locked in.').waitFor();
  // A second tap changes nothing.
  await page.locator('.option').nth(1).tap({ force: true });
  expect(await page.locator('.option-locked').count()).toBe(1);
  await expectTappable('answered round', mia);
  await answer(ben, 1, 0);
  await mia.sees('Result of round 1');
  await page.getByText('of 2', { exact: false }).first().waitFor();
  await expectTappable('result', mia);

  await host.press('To the next question');
  await page.locator('.option-plain').first().tap();
  await answer(ben, 2, 1);
  await host.press('To the podium');
  await page.getByRole('link', { name: 'All answers' }).waitFor();
  await expectTappable('podium', mia);
});

it('a quiz is played by thumb, from the first screen to its result', async () => {
  const mia = await browser.newStranger('Mia', PHONE);
  const { page } = mia;
  await mia.goto('/');
  await page.getByLabel('Name').tap();
  await page.keyboard.type('Mia');
  await page.getByRole('button', { name: 'Play', exact: true }).tap();
  await mia.sees('Hello, Mia');
  await page.getByRole('button', { name: 'Start the quiz' }).waitFor();
  await expectTappable('home', mia);
  await page.getByText('Change').nth(1).tap();
  const questions = page.getByRole('group', { name: 'Questions' });
  await questions.getByRole('radio', { name: '5', exact: true }).tap();
  await expectTappable('settings of a quiz', mia);
  await page.getByRole('button', { name: 'Start the quiz' }).tap();
  for (let number = 1; number <= 5; number++) {
    await mia.sees(`Question ${number} of 5`);
    if (number === 1) await expectTappable('question', mia);
    await page
      .locator('.option')
      .nth(number % 4)
      .tap();
    await page.locator('.verdict').waitFor();
    if (number === 1) await expectTappable('judged question', mia);
    await page.locator('.verdict button').last().tap();
  }
  await mia.sees('Done!');
  await expectTappable('result of a quiz', mia);
});
