// Tests the host's controls and their effect for the other players. [contract 11]
import { expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { gather } from '../support/stage.ts';
import { choose, goOn, openLobby, type Visitor } from '../support/visitor.ts';

const browser = useBrowser();

/** Ends the running game. */
async function endGame(host: Visitor): Promise<void> {
  await host.press('Manage the game');
  await host.confirms('End the game');
}

it('a host starts another game with the same players, and ends it early', async () => {
  const [ada, ben] = await gather(browser, 'Ada', 'Ben');
  await ada.press('Start the game');
  for (const player of [ada, ben]) await player.sees('Round 1 of 3');
  await choose(ada, 0);
  await choose(ben, 1);
  await ben.sees('Result of round 1');
  await ben.page.getByText('Ada goes on when everybody is ready.').waitFor();
  await ada.press('To the next question');
  for (const player of [ada, ben]) await player.sees('Round 2 of 3');

  await ada.press('End this round');
  await ben.page.getByText('The host went on.').waitFor();
  await ada.sees('Result of round 2');
  await goOn(ada);
  await ada.sees('Round 3 of 3');
  await endGame(ada);
  await ada.page.getByRole('button', { name: 'Play again' }).waitFor();
  await ada.page.reload();
  await ada.press('Play again');
  for (const player of [ada, ben]) {
    await player.sees('Waiting room');
    expect(await player.page.locator('.standings').count()).toBe(0);
  }
  await ada.press('Start the game');
  for (const player of [ada, ben]) {
    await player.sees('Round 1 of 3');
    expect(await player.page.locator('.standings').count()).toBe(0);
  }
});

it('a removed player is notified, and can’t join again by the link', async () => {
  const [ada, ben] = await gather(browser, 'Ada', 'Ben', 'Cleo');
  await ada.confirms('Remove Ben');
  await ben.page.getByText('The host has removed you from this game.').waitFor();
  await ada.page.getByText('2 of 8 here').waitFor();
  await ben.page.reload();
  await ben.page.getByText('The host has removed you from this game.').waitFor();
});

it('changes the settings of a waiting lobby for all, and locks it', async () => {
  const ada = await browser.newVisitor('Ada');
  const ben = await browser.newVisitor('Ben', { path: await openLobby(ada) });
  await ada.page.getByText('2 of 8 here').waitFor();
  await ada.press('Settings');
  const dialog = ada.page.locator('dialog[open]');
  const pause = dialog.getByRole('group', { name: 'Time for the result' });
  expect(await pause.getByLabel('5 s').isChecked()).toBe(true);
  await dialog.getByLabel('Speed', { exact: false }).first().check();
  await ben.page.locator('.chips').getByText('Speed').waitFor();
  await dialog.getByRole('radio', { name: 'Type' }).check();
  await ben.page.getByText('Answers: Type').waitFor();
  await dialog.getByRole('radio', { name: 'Choose' }).check();
  await dialog.getByRole('group', { name: 'Rounds' }).getByLabel('5', { exact: true }).check();
  await ben.page.locator('.chips').getByText('Rounds: 5').waitFor();
  await dialog.getByRole('group', { name: 'Players' }).getByLabel('50').check();
  await ben.page.getByText('2 of 50 here').waitFor();
  await dialog.getByRole('group', { name: 'Time to answer' }).getByLabel('60 s').check();
  await pause.getByLabel('10 s').check();
  await dialog.getByLabel('Allowed', { exact: true }).check();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await ada.press('Lock the room');
  await ben.page.getByText('Locked: nobody else can join').waitFor();

  const late = await browser.newVisitor('Cleo', { path: new URL(ada.page.url()).pathname });
  await late.page.getByText('The host has locked this game').waitFor();

  // While it is not locked, others can join after the start.
  await ada.press('Unlock the room');
  await ada.press('Start the game');
  await ada.sees('Round 1 of 5');
  await expect.poll(async () => Number(await ada.page.locator('.timer-number').innerText())).toBeGreaterThan(15);
  await late.page.reload();
  await late.sees('Round 1 of 5');
  for (const player of [ada, ben, late]) await choose(player, 0);
  await late.sees(/^(Result of round 1|Round 2 of 5)$/);
});

it('another player becomes the host when the host leaves, and starts another game', async () => {
  const [ada, ben, cleo] = await gather(browser, 'Ada', 'Ben', 'Cleo');
  await ada.press('Start the game');
  for (const player of [ada, ben, cleo]) await player.sees('Round 1 of 3');
  await ada.confirms('Leave');
  await ben.page.getByText('You are the host now.').first().waitFor();
  await endGame(ben);
  await ben.press('Play again');
  for (const player of [ben, cleo]) await player.page.getByText('2 of 8 here').waitFor();
});

it('[contract 26] a host chooses a topic at home, and all topics in the waiting room', async () => {
  const { page, press } = await browser.newVisitor('Ada', { path: '/' });
  await page.getByLabel('Topic').selectOption('Food');
  await press('Invite friends');
  await page.getByText('English to Italian · A1 · Nouns · Food').first().waitFor();
  await press('Settings');
  await page.getByLabel('Topic').selectOption('All topics');
  await page.getByText('English to Italian · A1 · Nouns', { exact: true }).first().waitFor();
});
