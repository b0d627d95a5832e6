// Tests games in a real browser, with several players, two replicas and failures.
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { gather, meet } from '../support/stage.ts';
import { choose, goOn, openLobby, type Visitor } from '../support/visitor.ts';

const browser = useBrowser({}, 2);

/** Counts how often the page shows that it is reconnecting. */
const WATCH = `
  window.reconnections = 0;
  new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes) if (node.className === 'connection') reconnections++;
  }).observe(document, { childList: true, subtree: true });`;

/** Waits for the question of a round, after the result of the one before. */
async function seesRound(player: Visitor, round: number): Promise<void> {
  await player.sees(new RegExp(`^(Result of round ${round - 1}$|Round ${round} of)`));
  await goOn(player);
  await player.sees(`Round ${round} of`);
}

/** @param round the last one */
async function seesPodium(player: Visitor, round: number): Promise<void> {
  const wayHome = player.page.locator('main').getByRole('button', { name: 'Home' });
  await player.page
    .getByRole('heading', { name: `Result of round ${round}` })
    .or(wayHome)
    .waitFor();
  await goOn(player);
  await wayHome.waitFor();
}

const all = (players: Visitor[], act: (player: Visitor) => Promise<unknown>) => Promise.all(players.map(act));

/** Starts a game of two new players, the first of whom hosts it. */
async function begin(): Promise<[Visitor, Visitor]> {
  const players = await gather(browser, 'Ada', 'Ben');
  await players[0].press('Start the game');
  for (const player of players) await seesRound(player, 1);
  return players;
}

async function standingsOf({ page }: Visitor): Promise<string[]> {
  const lines = await page.locator('.standings li').allInnerTexts();
  return lines.map((line) => line.replace(/\s+/g, ' ').replace(' (you)', ''));
}

it('three players on two replicas, both of which are killed, reach the podium with the same result', async () => {
  const players = [
    await browser.newVisitor('Ada'),
    await browser.newVisitor('Ben'),
    await browser.newVisitor('Cleo'),
  ] as const;
  for (const { page } of players) await page.addInitScript(WATCH);
  await meet(...players);
  await players[0].press('Start the game');
  for (let round = 1; round <= 3; round++) {
    for (const player of players) await seesRound(player, round);
    const [ada, ...others] = players;
    await choose(ada, round);
    await ada.page.getByText('Your answer is locked in.').waitFor();
    const killed = browser.fleet.replicas[round - 2];
    await killed?.kill();
    await killed?.start();
    for (const player of others) await choose(player, round);
  }
  for (const player of players) {
    await seesPodium(player, 3);
    // Clients of the first replica have reconnected to the second, which is killed in the next round.
    expect(await player.page.evaluate<number>('reconnections')).toBeGreaterThan(0);
    expect(await standingsOf(player)).toEqual(await standingsOf(players[0]));
  }
  // All gave the same answers, so that they share the first place.
  expect(await standingsOf(players[0])).toHaveLength(3);
  for (const line of await standingsOf(players[0])) expect(line).toMatch(/^1st /);
});

describe('the waiting room', () => {
  it('shows the invitation, and each name by itself, whatever direction it is written in; only the host can start', async () => {
    const host = await browser.newVisitor('שלום 1');
    const { page } = host;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const invitation = await openLobby(host);
    const [link, code] = [browser.fleet.url + invitation, invitation.split('/').at(-1) ?? ''];
    await host.press('Copy the link');
    await host.press('Copied');
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(link);
    await page.getByRole('link', { name: link }).waitFor();
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
    await page.getByText(code, { exact: true }).waitFor();
    const startButton = page.getByRole('button', { name: 'Start the game' });
    expect(await startButton.isDisabled()).toBe(true);
    const guest = await browser.newVisitor('Ben', { path: '/' });
    await guest.page.getByLabel('Got a code?').fill(`  ${code.toLowerCase()} `);
    await guest.press('Join');
    await guest.page.locator('p.hint bdi').getByText('שלום 1', { exact: true }).waitFor();
    expect((await guest.page.locator('.players .name bdi').allInnerTexts()).sort()).toEqual(['Ben', 'שלום 1']);
    expect(await guest.page.getByRole('button', { name: 'Start the game' }).count()).toBe(0);
    await page.getByText('2 of 8 here').waitFor();
    expect(await startButton.isEnabled()).toBe(true);
    await guest.page.context().close();
    await page.getByText('1 of 8 here').waitFor();
    expect(await startButton.isDisabled()).toBe(true);
  });

  it('ends in all windows of a player who leaves in one, and closes for all when the host leaves', async () => {
    const [host, guest, other] = await gather(browser, 'Ada', 'Ben', 'Cleo');
    const address = host.page.url();
    const second = await guest.anotherTab();
    await second.goto(address);
    await second.sees('Waiting room');
    await second.confirms('Leave');
    await second.sees('Hello, Ben');
    await host.page.getByText('2 of 8 here').waitFor();
    // The first window gets no message; it asks the service when it becomes visible.
    await guest.page.evaluate('dispatchEvent(new Event("pageshow"))');
    await guest.sees('You have left this game');
    await host.confirms('Leave');
    await host.sees('Hello, Ada');
    await other.sees('This lobby is closed');
    await other.goto(address);
    await other.page.getByText('There is no game with this code').waitFor();
  });
});

describe('a round', () => {
  it('does not show who has answered; its result shows how often each option was chosen', async () => {
    const [ada, ben] = await begin();
    const before = await ben.page.locator('main').innerText();
    await choose(ada, 0);
    await ada.page.getByText('Your answer is locked in.').waitFor();
    // What the service sent to others at the answer would have come before the confirmation that Ada has.
    const withoutTime = (text: string) => text.replace(/\d+( second)?/g, '');
    expect(withoutTime(await ben.page.locator('main').innerText())).toBe(withoutTime(before));
    await choose(ben, 1);
    await all([ada, ben], async (player) => {
      await player.sees('Result of round 1');
      // The bars have numbers and no names.
      const bars = player.page.locator('.option-bars');
      const counts = await bars.locator('.bar-count').allInnerTexts();
      expect(counts.map((count) => Number.parseInt(count, 10))).toEqual([1, 1, 0, 0]);
      expect(await bars.innerText()).not.toMatch(/Ada|Ben/);
    });
    // The first answer counts, and the next question can be answered.
    await seesRound(ada, 2);
    await choose(ada, 3);
    await ada.page.locator('.option').nth(2).click({ force: true });
    const pressed = await ada.page.evaluate<string[]>(
      `[...document.querySelectorAll('.option')].map(({ ariaPressed }) => ariaPressed)`,
    );
    expect(pressed).toEqual(['false', 'false', 'false', 'true']);
  });

  it('shows its question, the own answer, the time and the standings after a reload and in another window', async () => {
    const [ada, ben] = await gather(browser, 'Ada', 'Ben');
    const second = await ada.anotherTab();
    await second.goto(ada.page.url());
    await second.sees('Waiting room');
    await ada.press('Start the game');
    for (const player of [ada, second, ben]) await seesRound(player, 1);
    for (const player of [ada, ben]) await choose(player, 1);
    for (const player of [ada, second, ben]) await seesRound(player, 2);
    const prompt = await ada.page.locator('#prompt').innerText();
    await choose(ada, 2);
    await second.page.getByText('Your answer is locked in.').waitFor();
    await ada.page.reload();
    await ada.sees('Round 2 of 3');
    expect(await ada.page.locator('#prompt').innerText()).toBe(prompt);
    await ada.page.getByText('Your answer is locked in.').waitFor();
    await ada.page.locator('.option').nth(2).and(ada.page.locator('.option-locked')).waitFor();
    await ada.page.getByRole('timer').waitFor();
    expect(await standingsOf(ada)).toHaveLength(2);
    await choose(ben, 2);
    await all([ada, second, ben], (player) => player.sees('Result of round 2'));
  });

  it('can be answered without a network, and the answer is sent later', async () => {
    const [ada, ben] = await begin();
    await ben.page.context().setOffline(true);
    await ben.page.getByText('Connection lost. Reconnecting…').first().waitFor();
    await choose(ben, 0);
    await choose(ada, 0);
    await ben.page.context().setOffline(false);
    await all([ada, ben], async (player) => {
      await player.sees('Result of round 1');
      await player.page.getByText('Everybody has answered.').waitFor();
    });
    await ben.page.locator('.connection').waitFor({ state: 'detached' });
  });
});

it('who leaves a game is warned, and the others are told and go on without that player', async () => {
  const [ada, ben] = await begin();
  await choose(ada, 0);
  await ben.press('Leave');
  await ben.page.getByRole('dialog').getByText('You are out for good').waitFor();
  await ben.page.getByRole('dialog').getByRole('button', { name: 'Leave' }).last().click();
  await ben.sees('Hello, Ben');
  await ada.sees('Result of round 1');
  await ada.page.getByText('Somebody left.').waitFor();
  await seesRound(ada, 2);
  await choose(ada, 0);
  await ada.sees('Result of round 2');
});
