// Tests large lobbies: the controls stay visible however many players there are and however long their names
// are. [contract 11]
import { expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { answer, createLobbyAt, newPupil, PHONE, type Pupil } from '../support/stage.ts';
import { choose, type Visitor } from '../support/visitor.ts';

const CLASS_SIZE = 50;
const NAMES = ['Maximiliane-Charlotte Hohenzollern-Sigmaringen', 'שלום עולם', 'a'.repeat(50)];

const browser = useBrowser({ ROUND_DURATION_MS: '120000' });

/** Adds the other players, who need no browser. */
async function joinClass(code: string): Promise<Pupil[]> {
  const pupils: Pupil[] = [];
  // Requests of fifty at once would wait for connections to PostgreSQL.
  for (let index = 0; index < CLASS_SIZE - 2; index++)
    pupils.push(await newPupil(browser, NAMES[index] ?? `Pupil ${index}`, code));
  return pupils;
}

/** @returns whether an element is completely on the screen and not covered */
const isInView = ({ page }: Visitor, selector: string) =>
  page.evaluate<boolean>(`(() => {
    const node = document.querySelector('${selector}');
    const { top, bottom, left, width } = node.getBoundingClientRect();
    const above = document.elementFromPoint(left + width / 2, (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && node.contains(above);
  })()`);

it('in a class of fifty the start button, the own name and the own place stay visible', async () => {
  const [host, pupil] = [await browser.newVisitor('Ada', PHONE), await browser.newVisitor('Paula', PHONE)];
  const settings = { intermissionMs: 300_000, rounds: 1 };
  const { code } = await createLobbyAt(host, settings, CLASS_SIZE);
  const players = await joinClass(code);
  await pupil.goto(`/lobby/${code}`);
  for (const visitor of [host, pupil]) await visitor.page.getByText(`${CLASS_SIZE} of ${CLASS_SIZE} here`).waitFor();
  // At least two names fit on one line.
  const lefts = await pupil.page.evaluate<number>(`new Set(
    [...document.querySelectorAll('.players li:not(.is-own)')].map((node) => node.offsetLeft)).size`);
  expect(lefts).toBeGreaterThan(1);
  for (const [visitor, selector] of [
    [host, '.start button'],
    [pupil, '.players .is-own'],
  ] as const) {
    expect(await isInView(visitor, selector)).toBe(true);
    await visitor.page.locator('.players li').nth(30).scrollIntoViewIfNeeded();
    expect(await isInView(visitor, selector)).toBe(true);
  }
  // The host's own row covers no other one, since the button is at the top already.
  const covered = await host.page.evaluate<number>(`
    [...document.querySelectorAll('.players li:not(.is-own)')].filter((row) =>
      row.getBoundingClientRect().top <
        document.querySelector('.players .is-own').getBoundingClientRect().bottom).length`);
  expect(covered).toBe(0);

  await host.press('Start the game');
  for (const visitor of [host, pupil]) await visitor.page.locator('.option').first().waitFor();
  for (const [index, player] of players.entries()) await answer(player, 1, index % 4);
  for (const visitor of [host, pupil]) await choose(visitor, 0);
  await pupil.sees('Result of round 1');
  expect(await isInView(host, '.go-on .primary')).toBe(true);
  // The standings show the leaders and the user with both neighbours, and by a button all fifty.
  const rows = pupil.page.locator('.standings li');
  expect(await rows.count()).toBeLessThan(10);
  await pupil.press(`Show all ${CLASS_SIZE}`);
  expect(await rows.count()).toBe(CLASS_SIZE);
  await rows.nth(25).scrollIntoViewIfNeeded();
  expect(await isInView(pupil, '.standings .is-own')).toBe(true);
});
