// Tests sounds and vibration, which only a projector has by default, and the winners' confetti.
import { expect, it } from 'vitest';
import type { SealedQuestion } from '../../src/vocabulary/rules.ts';
import { useBrowser } from '../support/browser.ts';
import { correctOptionOf, questionsOf } from '../support/game.ts';
import { answer, createLobbyAt, newPupil } from '../support/stage.ts';
import { choose, type Visitor } from '../support/visitor.ts';

/** Counts the notes, the vibrations and the confetti. */
const WATCH = `
  window.notes = 0;
  window.shakes = 0;
  window.paper = 0;
  const Played = OscillatorNode;
  OscillatorNode = class extends Played {
    constructor(...given) { super(...given); notes++; }
  };
  navigator.vibrate = () => ++shakes;
  new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes) if (node.className === 'confetti') paper++;
  }).observe(document, { childList: true, subtree: true });
`;

const browser = useBrowser();

async function newVisitor(name: string, options = {}): Promise<Visitor> {
  const visitor = await browser.newVisitor(name, options);
  await visitor.page.addInitScript(WATCH);
  return visitor;
}

const count = ({ page }: Visitor, what: 'notes' | 'shakes' | 'paper') => page.evaluate<number>(what);

it('plays and vibrates only after the user has switched it on, and stores that', async () => {
  const visitor = await newVisitor('Ada', { isMobile: true, hasTouch: true });
  const { page } = visitor;
  const answer = async (question: number) => {
    await visitor.sees(`Question ${question} of`);
    await choose(visitor, 0);
    await page.locator('.verdict').waitFor();
  };
  await visitor.goto('/');
  await visitor.press('Start the quiz');
  await answer(1);
  expect(await count(visitor, 'notes')).toBe(0);
  expect(await count(visitor, 'shakes')).toBe(0);
  const toggle = page.getByRole('button', { name: 'Sound and vibration' });
  expect(await toggle.getAttribute('aria-pressed')).toBe('false');
  await toggle.press('Space');
  await expect.poll(() => count(visitor, 'notes')).toBeGreaterThan(0);
  await page.reload();
  await page.locator('.verdict button').click();
  await answer(2);
  await expect.poll(() => count(visitor, 'notes')).toBeGreaterThan(0);
  expect(await count(visitor, 'shakes')).toBeGreaterThan(0);
  await toggle.press('Space');
  expect(await toggle.getAttribute('aria-pressed')).toBe('false');
});

it('shows confetti to winners, unless they have asked for reduced motion', async () => {
  const winner = await newVisitor('Ada');
  const calmWinner = await newVisitor('Ben', { reducedMotion: 'reduce' });
  const loser = await newVisitor('Cleo');
  const { code, lobbyId } = await createLobbyAt(winner, { rounds: 1, roundMs: 300_000 });
  for (const visitor of [calmWinner, loser]) {
    await visitor.goto(`/lobby/${code}`);
    await visitor.sees('Waiting room');
  }
  await winner.page.getByText('3 of 8 here').waitFor();
  await winner.press('Start the game');
  for (const { page } of [winner, calmWinner, loser]) await page.locator('.option').first().waitFor();
  const [sealed] = await questionsOf(browser.fleet.services.redis, lobbyId);
  const right = correctOptionOf(sealed as SealedQuestion);
  await choose(winner, right);
  await choose(calmWinner, right);
  await choose(loser, (right + 1) % 4);
  await calmWinner.sees('You share the victory!');
  await loser.sees('share the victory!');
  await expect.poll(() => count(winner, 'paper')).toBe(1);
  expect(await count(calmWinner, 'paper')).toBe(0);
  expect(await count(loser, 'paper')).toBe(0);
});

it('a projector plays sounds until they are switched off, but not if its user prefers reduced motion', async () => {
  const loud = await newVisitor('Ada');
  const calm = await newVisitor('Ben', { reducedMotion: 'reduce' });
  for (const [host, isOn] of [
    [loud, true],
    [calm, false],
  ] as const) {
    const { code } = await createLobbyAt(host, { hostPlays: false, roundMs: 300_000, readMs: 100 });
    const sound = host.page.getByRole('button', { name: 'Sound' });
    await sound.and(host.page.locator(`[aria-pressed=${isOn}]`)).waitFor();
    await newPupil(browser, 'Cleo', code);
    await host.press('Start the game');
    await host.page.locator('.stage-options').waitFor();
  }
  await expect.poll(() => count(loud, 'notes')).toBeGreaterThan(0);
  expect(await count(calm, 'notes')).toBe(0);
  await loud.press('Sound');
  await loud.page.reload();
  const button = loud.page.locator('.stage').getByRole('button', { name: 'Sound', pressed: false });
  await button.waitFor();
});

it('the podium shows the third place first, then the second, then who has won', async () => {
  const host = await newVisitor('Ada');
  const settings = { hostPlays: false, rounds: 1, roundMs: 60_000, scoring: 'speed' } as const;
  const { code, lobbyId } = await createLobbyAt(host, settings);
  const pupils = [];
  for (const name of ['Ben', 'Cleo', 'Dan']) pupils.push(await newPupil(browser, name, code));
  await host.sees('3 players');
  await host.press('Start the game');
  for (const pupil of pupils) await pupil.next('game:question');
  const [sealed] = await questionsOf(browser.fleet.services.redis, lobbyId);
  // Each answer is worth less than the one before.
  for (const [index, pupil] of pupils.entries()) {
    await answer(pupil, 1, correctOptionOf(sealed as SealedQuestion));
    if (index < 2) await host.page.getByText(`${index + 1} of 3 have answered`).waitFor();
  }
  await host.page.locator('.scene-podium').waitFor();
  const delays = await host.page.evaluate<number[]>(`
    ['.step-3', '.step-2', '.step-1', 'h1', '.standings'].map((part) =>
      parseFloat(getComputedStyle(document.querySelector('.scene-podium ' + part)).animationDelay))`);
  const [third, second, first, ...names] = delays as [number, number, number, number, number];
  expect(third).toBeLessThan(second);
  expect(second).toBeLessThan(first);
  expect(names).toEqual([first, first]);
});
