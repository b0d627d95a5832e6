// Tests the screens of a round: what a player and a projector show before, while and after it can be answered.
import { expect, it } from 'vitest';
import type { LobbySettings } from '../../src/lobby/schema.ts';
import { useBrowser } from '../support/browser.ts';
import { answer, createLobbyAt, newPupil, PATIENT, PHONE } from '../support/stage.ts';
import { choose, type Visitor } from '../support/visitor.ts';

const browser = useBrowser();

/** Starts a game of a host on a phone and a player, with a second screen. */
async function begin(settings: Partial<LobbySettings>) {
  const host = await browser.newVisitor('Ada', PHONE);
  const { code } = await createLobbyAt(host, { ...PATIENT, ...settings });
  const screen = await host.anotherTab();
  await screen.goto(`/lobby/${code}/screen`);
  const ben = await newPupil(browser, 'Ben', code);
  await screen.sees('2 players');
  await host.press('Start the game');
  return { host, screen, ben };
}

it('[contract 22] 3-2-1 comes before the first question, and each prompt before its options', async () => {
  const { host, screen, ben } = await begin({ readMs: 5000, rounds: 2 });
  const pages = [host.page, screen.page];
  for (const page of pages) {
    await page.getByText('Get ready').waitFor();
    expect(await page.locator('.prompt, .stage-prompt').count()).toBe(0);
  }
  const { question } = await ben.next('game:question');
  const isPrompt = { name: question.prompt };
  for (const page of pages) await page.getByRole('heading', isPrompt).waitFor();
  const options = question.options?.map(({ text }) => text) ?? [];
  for (const page of pages)
    expect(await page.locator('.question, .stage-options').innerText()).not.toContain(options[0]);
  expect(await host.page.locator('button.option').count()).toBe(0);
  // A key or a reload does not open the question earlier.
  await host.page.keyboard.press('1');
  await host.page.reload();
  await host.page.getByRole('heading', isPrompt).waitFor();
  expect(await host.page.locator('button.option').count()).toBe(0);
  for (const page of pages) await page.getByText(options[0] ?? '', { exact: true }).waitFor();
  await host.page
    .getByText(/^(300|2\d\d)$/)
    .first()
    .waitFor();
  await choose(host, 0);
  await host.page.getByText('Your answer is locked in.').waitFor();
  await answer(ben, 1, 0);
  await host.sees('Result of round 1');
  await host.page.locator('.go-on .primary').click();
  await host.sees('Round 2 of 2');
  expect(await host.page.getByText('Get ready').count()).toBe(0);
  await host.page.locator('button.option').first().waitFor();
});

it('an option has one colour and shape on a projector, on a phone and in the result', async () => {
  const { host, screen, ben } = await begin({ rounds: 1 });
  const { page } = host;
  const { question } = await ben.next('game:question');
  /** @returns the colours and shapes by the options' texts */
  const marksOf = (visitor: Visitor, options: string) =>
    visitor.page.evaluate<Record<string, string>>(`Object.fromEntries(
      [...document.querySelectorAll('${options}')].map((option) => [
        option.querySelector('[lang]').innerText,
        getComputedStyle(option.querySelector('.key')).backgroundColor +
          option.querySelector('.key path').getAttribute('d'),
      ]))`);
  await page.locator('.option').first().waitFor();
  const marks = await marksOf(host, '.option');
  expect(Object.keys(marks)).toEqual(question.options?.map(({ text }) => text));
  expect(new Set(Object.values(marks)).size).toBe(4);
  await screen.sees('Round 1 of 1');
  expect(await marksOf(screen, '.stage-options li')).toEqual(marks);
  // The phone shows the question and the way out, and nothing else of the page.
  expect(await page.locator('header, footer, .seal').filter({ visible: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Leave' }).waitFor();
  await answer(ben, 1, 0);
  await choose(host, 1);
  await host.sees('Result of round 1');
  expect(await marksOf(host, '.option-bars li')).toEqual(marks);
  expect(await marksOf(screen, '.option-bars li')).toEqual(marks);
});
