// Tests the game on a projector: the screen of a host who presents, and a second screen.
import { expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { answer, createListAt, createLobbyAt, newPupil, PATIENT, pressKey } from '../support/stage.ts';
import { choose, type Visitor } from '../support/visitor.ts';

const SMALL = { width: 1280, height: 720 };
const PROJECTORS = [SMALL, { width: 1920, height: 1080 }];
/** The screens on which a host may see the stage, a dialog or the remote. */
const SCREENS = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];
/** The elements that may cut off their content. */
const BOXES = '.who, .stage-prompt, .stage-options li, .stage-columns > *, .scene-podium h1';

const browser = useBrowser();

const newVisitor = (name: string) => browser.newVisitor(name, { viewport: SMALL, reducedMotion: 'reduce' });

/** @returns the elements that are cut off or reach beyond the screen, at each projector's size */
async function expectToFill({ page }: Visitor): Promise<void> {
  for (const viewport of PROJECTORS) {
    await page.setViewportSize(viewport);
    await expect
      .poll(() =>
        page.evaluate<string[]>(`[...document.querySelectorAll('.stage *')]
          .filter((node) => !node.closest('.visually-hidden, svg, .bar-text > *, .name > *'))
          .filter((node) => {
            const { right, bottom } = node.getBoundingClientRect();
            return right > innerWidth + 1 || bottom > innerHeight + 1;
          })
          .concat([...document.querySelectorAll(${JSON.stringify(BOXES)})].filter(
            ({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1))
          .map((node) => node.outerHTML.slice(0, 80))`),
      )
      .toEqual([]);
  }
  await page.setViewportSize(SMALL);
}

/** Expects that nothing has to be scrolled sideways, at the size of any screen. */
async function expectNothingBeside({ page }: Visitor): Promise<void> {
  for (const viewport of SCREENS) {
    await page.setViewportSize(viewport);
    const wide = await page.evaluate<string[]>(`
      [document.documentElement, ...document.querySelectorAll('dialog')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map((node) => node.tagName + ' ' + node.scrollWidth)`);
    expect({ viewport, wide }).toEqual({ viewport, wide: [] });
  }
}

it('a host who presents leads a class from the waiting room to the podium with the keyboard only', async () => {
  const host = await newVisitor('Ms Pert');
  const { page } = host;
  const { code } = await createLobbyAt(host, { ...PATIENT, hostPlays: false, rounds: 2 }, 200);
  await host.sees('Join the game');
  await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
  await page.locator('.stage-code', { hasText: code }).waitFor();
  const [ada, ben] = [await newPupil(browser, 'Ada', code), await newPupil(browser, 'Ben', code)];
  await host.sees('2 players');
  await expectToFill(host);

  await page.keyboard.press('f');
  await page.locator('[aria-pressed=true]', { hasText: 'Full screen' }).waitFor();
  await page.keyboard.press('F');
  await page.locator('[aria-pressed=false]', { hasText: 'Full screen' }).waitFor();
  await pressKey(host, 'Space', '.scene-round');
  await host.sees('Round 1 of 2');
  expect(await page.locator('.option').count()).toBe(0);
  await answer(ada, 1, 0);
  await page.getByText('1 of 2 have answered').waitFor();
  await expectToFill(host);
  await answer(ben, 1, 1);
  await host.sees('Result of round 1');
  const counts = await page.locator('.bar-count').allInnerTexts();
  expect(counts.map((count) => Number.parseInt(count, 10))).toEqual([1, 1, 0, 0]);
  expect(await page.locator('.standings li').count()).toBe(2);
  await expectToFill(host);

  // A clicker's key for the way back does nothing.
  await page.keyboard.press('PageUp');
  await pressKey(host, 'PageDown', '.scene-round');
  await host.sees('Round 2 of 2');
  // After a panel, and after a button that the mouse has pressed, Space goes on again. Nobody answers.
  await host.press('Manage the game');
  await host.press('Close');
  await host.press('Sound');
  // The colours are the host's choice, whatever the laptop prefers.
  const paper = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  const light = await paper();
  await host.press('Dark colours');
  expect(await paper()).not.toBe(light);
  await host.press('Dark colours');
  expect(await paper()).toBe(light);
  expect(await page.locator(':focus').innerText()).toBe('Round 2 of 2');
  await pressKey(host, 'Space', '.scene-result');
  await page.getByText('The host went on.').waitFor();
  await page.getByRole('button', { name: 'Manage the game' }).press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await pressKey(host, 'Enter', '.scene-podium');
  await expectToFill(host);
  // Another game starts by its button only, not by a key.
  await page.keyboard.press('ArrowRight');
  await host.press('Play again');
  await host.sees('Join the game');
  await host.sees('2 players');
});

it.each([30, 199])('%i names all fit the screen, the host’s dialog and the remote', async (count) => {
  const host = await newVisitor('Ms Pert');
  const { code } = await createLobbyAt(host, { hostPlays: false }, 200);
  for (let made = 0; made < count; made += 10)
    await Promise.all(
      Array.from({ length: Math.min(10, count - made) }, (_, index) =>
        newPupil(browser, `${['Al', 'Bettina', 'Конст', 'Maximilian'][index % 4]} ${made + index}`, code, false),
      ),
    );
  await host.sees(`${count} players`);
  await expectToFill(host);
  await expectNothingBeside(host);
  await host.press('Manage the game');
  await host.page.getByText('of 200 here').waitFor();
  await expectNothingBeside(host);
  const remote = await host.anotherTab();
  await remote.goto(`/lobby/${code}/remote`);
  await remote.page.getByText('of 200 here').waitFor();
  await expectNothingBeside(remote);
});

it('long sentences from an own list fit the screen, as questions and as answers', async () => {
  const host = await newVisitor('Ms Pert');
  const sentence = (length: number, index: number) =>
    `${index} ${'quite a long sentence '.repeat(10)}`.slice(0, length).trim();
  const terms = Array.from({ length: 5 }, (_, index) => ({
    sourceText: sentence(120, index),
    targetText: sentence(119, index + 10),
    sourceGloss: sentence(200, index),
  }));
  const listId = await createListAt(host, { name: 'Long', sourceLanguage: 'en', targetLanguage: 'it', terms });
  const settings = { ...PATIENT, hostPlays: false, rounds: 1, listId };
  const { code } = await createLobbyAt(host, settings);
  const name = 'Maximilian-Alexander von Hohenstein zu Wittgenstein';
  const [pupil] = [await newPupil(browser, name.slice(0, 50), code), await newPupil(browser, 'Ben', code)];
  await host.sees('2 players');
  await pressKey(host, 'ArrowRight', '.scene-round');
  await expectToFill(host);
  await answer(pupil, 1, 0);
  await host.page.getByText('1 of 2 have answered').waitFor();
  await pressKey(host, 'ArrowRight', '.scene-result');
  await expectToFill(host);
  await pressKey(host, 'ArrowRight', '.scene-podium');
  await expectToFill(host);
});

it('a second screen of a host who plays shows the game and sends no answers', async () => {
  const host = await newVisitor('Ada');
  const { code } = await createLobbyAt(host, { ...PATIENT, rounds: 1 });
  const screen = await host.anotherTab();
  const sent: string[] = [];
  screen.page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => sent.push(JSON.parse(String(payload)).type)),
  );
  await screen.goto(`/lobby/${code}/screen`);
  await screen.sees('Join the game');
  const ben = await newPupil(browser, 'Ben', code);
  await screen.sees('2 players');
  await host.press('Start the game');
  await screen.sees('Round 1 of 1');
  await choose(host, 2);
  await host.page.getByText('Your answer is locked in.').waitFor();
  // The answer is in this browser's storage, but this screen neither shows nor sends it.
  await screen.page.reload();
  await screen.sees('Round 1 of 1');
  expect(await screen.page.locator('.answered, .option-locked').count()).toBe(0);
  await screen.page.context().setOffline(true);
  await screen.page.getByText('Connection lost').first().waitFor();
  await screen.page.context().setOffline(false);
  await screen.page.locator('.connection').waitFor({ state: 'detached' });
  await answer(ben, 1, 1);
  await screen.sees('Result of round 1');
  await host.sees('Result of round 1');
  await pressKey(screen, 'ArrowRight', '.scene-podium');
  expect(sent).toContain('game:next');
  expect(sent).not.toContain('game:answer');
});
