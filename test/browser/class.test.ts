// Tests rooms for a class: opened by one press, and led on a projector. [contract 11, 19, 22]
import { expect, it } from 'vitest';
import type { Lobby } from '../../src/lobby/schema.ts';
import { useBrowser } from '../support/browser.ts';
import { createHttpClient } from '../support/http-client.ts';
import { answer, createListAt, createLobbyAt, lobbyOf, newPupil, PATIENT, PHONE, PROJECTOR } from '../support/stage.ts';
import { pasteWords } from '../support/tour.ts';
import { OLD_BROWSER, type Visitor } from '../support/visitor.ts';

const browser = useBrowser({ GUESTS: 'true', RATE_LIMIT_GUEST_MAX: '3' });

/** Opens a room for a class by one press. @returns its lobby */
async function openClass(host: Visitor): Promise<Lobby> {
  await host.goto('/');
  await host.press('Host a class');
  await host.sees('Join the game');
  return lobbyOf(host);
}

it('one press opens a room for a class, which names its pupils; the last choice is remembered', async () => {
  const host = await browser.newVisitor('Ms Pert', PROJECTOR);
  const { page } = host;
  const lobby = await openClass(host);
  const timesMs = { roundMs: 20_000, intermissionMs: 300_000, readMs: 1500 };
  const settings = { hostPlays: false, lateJoin: true, scoring: 'speed', rounds: 10, ...timesMs };
  expect(lobby).toMatchObject({ capacity: 200, compact: true, settings });
  const ben = await newPupil(browser, 'Ben', lobby.code);
  await newPupil(browser, 'Cleo', lobby.code);
  await host.sees('2 players');
  const names = page.locator('.stage-names bdi');
  await expect.poll(async () => (await names.allInnerTexts()).toSorted()).toEqual(['Ben', 'Cleo']);
  await host.press('Manage the game');
  await host.confirms('Remove Ben');
  await ben.next('lobby:kicked');
  await host.press('Close');

  await host.press('Settings');
  const rounds = page.getByRole('spinbutton', { name: 'Rounds: another number' });
  await rounds.fill('70');
  await rounds.press('Tab');
  await expect.poll(() => rounds.inputValue()).toBe('50');
  await rounds.fill('7');
  await page.getByRole('spinbutton', { name: 'Players: another number' }).fill('35');
  await page.keyboard.press('Tab');
  await page.getByRole('group', { name: 'Time to answer' }).getByLabel('30 s').check();
  await expect.poll(async () => (await lobbyOf(host)).capacity).toBe(35);
  const next = await openClass(host);
  expect(next.capacity).toBe(35);
  expect(next.settings).toMatchObject({ rounds: 7, roundMs: 30_000, hostPlays: false });
  await host.press('Settings');
  await page.getByRole('radio', { name: 'Play along' }).check();
  await host.press('Close');
  await host.sees('Waiting room');
});

it('a class is asked all words of a list, by one press beside it', async () => {
  const host = await browser.newVisitor('Ms Pert', PROJECTOR);
  const terms = Array.from({ length: 24 }, (_, at) => ({ sourceText: `w${at}`, targetText: `t${at}` }));
  await createListAt(host, { name: 'Unit 5', sourceLanguage: 'de', targetLanguage: 'gv', terms });
  await host.goto('/lists');
  await host.press(/^Host a class.*Unit 5/);
  await host.sees('Join the game');
  await host.page.getByText('Unit 5 · German to Gaelg').waitFor();
  expect((await lobbyOf(host)).settings).toMatchObject({ rounds: 24, listId: expect.any(String) });
  await host.press('Settings');
  expect(await host.page.getByRole('radio', { name: 'All 24' }).isChecked()).toBe(true);
  // Own words are pasted, and used by the second press.
  await host.press('My words: paste here');
  await pasteWords(host, 'Hund\tdog\nKatze\tcat\nMaus\tmouse\nKuh\tcow\nZiege\tgoat\n');
  await expect.poll(async () => (await lobbyOf(host)).settings).toMatchObject({ listName: 'My words', rounds: 5 });
  await host.goto('/');
  await host.page.getByText(/^My words · /).waitFor();
});

it('a visitor answers a question before any request or name, and hosts a class by one press, with an old browser', async () => {
  const host = await browser.newStranger('Ms Pert', PROJECTOR);
  const { page } = host;
  await page.addInitScript(OLD_BROWSER);
  await page.goto('/', { waitUntil: 'networkidle' });
  let requests = 0;
  page.on('request', () => requests++);
  await page.getByText('With a class').waitFor();
  await page.getByRole('button', { name: 'fragola' }).click();
  await page.getByText('Not quite: it is “farfalla”.').waitFor();
  expect(requests).toBe(0);
  await host.press('Host a class');
  await host.sees('Join the game');
  await page.getByText('English to Italian · A1 · Nouns').waitFor();
  const { code, players, settings } = await lobbyOf(host);
  expect(players).toMatchObject([{ name: 'Teacher', isHost: true, plays: false }]);
  expect(settings).toMatchObject({ hostPlays: false, rounds: 10 });
  const ben = await newPupil(browser, 'Ben', code);
  await host.sees('1 player');
  await host.press('Start the game');
  await answer(ben, 1, 0);
  await host.sees('Result of round 1');
});

it('the host leads the class by a remote, which alone shows who is removed', async () => {
  const host = await browser.newVisitor('Ms Pert', PROJECTOR);
  const { code } = await createLobbyAt(host, { ...PATIENT, hostPlays: false, compact: true, rounds: 2 });
  await host.sees('Join the game');
  const remote = await host.anotherTab();
  await remote.page.setViewportSize({ width: 390, height: 844 });
  const [ada, ben] = [await newPupil(browser, 'Ada', code), await newPupil(browser, 'Ben', code)];
  await remote.goto(`/lobby/${code}/remote`);
  await remote.press('Remove Ben');
  await remote.page.getByText('can come back with the code. Lock the room too?').waitFor();
  await remote.press('Remove and lock the room');
  await ben.next('lobby:kicked');
  await remote.press('Unlock the room');
  await host.sees('1 player');
  await remote.press('Start the game');
  await host.sees('Round 1 of 2');
  await answer(ada, 1, 0);
  await remote.sees('Result of round 1');
  await remote.press('To the next question');
  await host.sees('Round 2 of 2');
  await remote.page.getByText('0 of 1 have answered').waitFor();
  await remote.confirms('End the game');
  await host.page.locator('.scene-podium').waitFor();

  const pupil = await browser.newVisitor('Cleo');
  for (const view of ['remote', 'screen']) {
    await pupil.goto(`/lobby/${code}/${view}`);
    await pupil.page.getByText('You are not in this game.').waitFor();
  }
});

it('[contract 22] a school gets in by the room’s code, under names that differ; nobody is blamed for its network', async () => {
  const host = await browser.newVisitor('Ms Pert', PROJECTOR);
  const { page } = host;
  const { code } = await openClass(host);
  const join = async (name: string) => {
    const pupil = await browser.newStranger(name, { ...PHONE, path: `/lobby/${code}` });
    await pupil.submits({ Name: name }, 'Play');
    await pupil.sees('Waiting room');
  };
  const names = async () => (await page.locator('.stage-names bdi').allInnerTexts()).toSorted();

  // The address has no more guests without a code.
  const stranger = await browser.newStranger('Mia', { ...PHONE, path: '/' });
  await stranger.page.getByLabel('Name').fill('Mia');
  const addGuest = () => createHttpClient(browser.fleet.url).post('/api/v1/guests', { name: 'Mia' });
  await expect.poll(async () => (await addGuest()).status).toBe(429);
  await stranger.press('Play');
  await stranger.page.getByText('It is not your fault. Try again in').waitFor();

  await stranger.goto(`/lobby/${code}`);
  await stranger.press('Pick a name for me');
  await stranger.sees('Waiting room');
  for (const name of ['Mia', 'Mia']) await join(name);
  await expect.poll(names).toEqual(expect.arrayContaining(['Mia', 'Mia 2']));
  await host.press('Settings');
  await page.getByLabel('Friendly names').check();
  await host.press('Close');
  await expect.poll(async () => (await lobbyOf(host)).settings.names).toBe('given');
  // Where names are given, none is asked for.
  const zoe = await browser.newStranger('Zoe', { ...PHONE, path: `/lobby/${code}` });
  await zoe.press('Play');
  await zoe.sees('Waiting room');
  await expect.poll(names).toHaveLength(4);
  expect(await names()).toContain(await zoe.page.locator('.own-line').innerText());
  expect(await zoe.page.locator('.qr, .share-link').count()).toBe(0);
});

it('the host goes back to the game on another device, where the phone is the remote', async () => {
  const host = await browser.newVisitor('Ms Pert', PROJECTOR);
  const { code } = await openClass(host);
  const phone = await browser.newStranger('Ms Pert', PHONE);
  await phone.page.context().addCookies(await host.page.context().cookies());
  await phone.goto('/');
  await phone.page.getByRole('link', { name: `Back to your game ${code}` }).waitFor();
  await phone.page.getByRole('link', { name: 'Remote' }).click();
  await phone.sees('Remote');
  await phone.page.getByText('1 of 200 here').waitFor();
});
