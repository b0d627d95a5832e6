// Tests the page's progress, due words and past games. [contract 13]
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { answer as answerRound, createLobbyAt, lobbyOf, newPupil, PATIENT } from '../support/stage.ts';
import { choose, type Visitor } from '../support/visitor.ts';

const browser = useBrowser();

/** Answers some questions of a quiz of ten, which stays open. */
async function answer(learner: Visitor, count: number): Promise<void> {
  await learner.goto('/');
  await learner.press('Start the quiz');
  for (let index = 0; index < count; index++) {
    await learner.sees(`Question ${index + 1} of 10`);
    await choose(learner, 0);
    await learner.page.locator('.verdict').waitFor();
    await learner.press('Next question');
  }
}

/** Waits until that many words are learned, then makes them due. */
async function makeDue(name: string, words: number): Promise<void> {
  const { db } = browser.fleet.services;
  const { id: userId } = await db.user.findFirstOrThrow({ where: { name } });
  await expect.poll(() => db.learnedWord.count({ where: { userId } })).toBe(words);
  const due = new Date(Date.now() - 60_000);
  await db.learnedWord.updateMany({ where: { userId }, data: { due } });
}

it('the home screen begins with the due words, and the progress has a calendar and a bar for each deck', async () => {
  const learner = await browser.newVisitor('Learner', { path: '/progress' });
  const { page } = learner;
  await page.getByText('Nothing yet.').waitFor();
  await learner.goto('/');
  await page.getByRole('button', { name: 'Start the quiz' }).waitFor();
  expect(await page.locator('.due').count()).toBe(0);
  await answer(learner, 3);
  await makeDue('Learner', 3);
  await learner.goto('/');
  await learner.sees('3 words are due');
  await page.locator('.due').getByText('1 day in a row · 3 answers today').waitFor();
  await page.locator('.due').getByText('English to Italian · A1 · Nouns').waitFor();
  await learner.press('Practise 3 due words');
  await learner.sees('Question 1 of 3');

  await learner.goto('/');
  await page.getByRole('link', { name: 'Your progress' }).click();
  await learner.sees('The last 12 weeks');
  await page.getByText('3 answers on 1 day', { exact: true }).waitFor();
  await expect.poll(() => page.locator('.day-1').count()).toBe(1);
  expect(await page.locator('.calendar small').allInnerTexts()).toContain('Mon');
  const fourWeeksAgo = new Date(Date.now() - 28 * 24 * 3_600_000);
  const month = fourWeeksAgo.toLocaleDateString('en', { month: 'short' });
  expect(await page.locator('.calendar-month').allInnerTexts()).toContain(month);
  await page.getByText('0 known').waitFor();
  await page.getByText('3 being learned').waitFor();

  await page.locator('.forecast li').first().getByText('3', { exact: true }).waitFor();
  await learner.press('Show words');
  const word = page.locator('.deck-words li');
  await page.getByRole('combobox', { name: 'Which words' }).selectOption('Being learned');
  await expect.poll(() => word.count()).toBe(3);
  const prompt = await word.first().locator('bdi').first().innerText();
  await page.getByRole('searchbox').fill('zzz');
  await page.getByText('No word like this.').waitFor();
  await page.getByRole('searchbox').fill(prompt.toUpperCase());
  await learner.press(new RegExp(`^Suspend.*${prompt}$`));
  await page.getByRole('button', { name: new RegExp(`^Resume.*${prompt}$`) }).waitFor();
  // The numbers above follow, and the words stay open.
  await learner.sees('2 words are due');
  await page.locator('.forecast li').first().getByText('2', { exact: true }).waitFor();
  await page.getByRole('combobox', { name: 'Which words' }).selectOption('Suspended');
  await word.getByText('Suspended').waitFor();

  await page.getByRole('button', { name: 'Practise', exact: true }).click();
  await learner.sees('Question 1 of 10');
});

describe('past games', () => {
  it('show the result, the missed words and all answers, also as a CSV file', async () => {
    const host = await browser.newVisitor('Ada', { path: '/games' });
    const { page } = host;
    await page.getByText('No finished game yet.').waitFor();
    const { code } = await createLobbyAt(host, PATIENT);
    const ben = await newPupil(browser, 'Ben', code);
    await page.getByText('2 of 8 here').waitFor();
    await host.press('Start the game');
    for (const round of [1, 2, 3]) {
      await host.sees(`Round ${round} of 3`);
      await choose(host, 0);
      await answerRound(ben, round, 1);
      await page.locator('.go-on .primary').click();
    }
    await page.locator('.actions.centered').waitFor();
    await host.goto('/');
    await page.getByRole('link', { name: 'Past games' }).click();
    await page.getByText('English to Italian · A1 · Nouns').waitFor();
    await page.locator('.entry-link').click();
    await host.sees('All answers');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('header, footer, nav, button').filter({ visible: true }).count()).toBe(0);
    await page.emulateMedia({ media: null });
    await page.locator('.groups summary').nth(2).click();
    await expect.poll(() => page.locator('.answer-list li').count()).toBe(2);
    await page.locator('.answer-list').getByText('Ben').waitFor();
    await page.getByRole('radio', { name: 'By player' }).check();
    await page.locator('.groups summary').filter({ hasText: 'Ada' }).click();
    await expect.poll(() => page.locator('.answer-list li').count()).toBe(3);
    const { file, text } = await host.downloads('Gradebook (CSV)');
    expect(file).toMatch(/^\w{6}-gradebook\.csv$/);
    expect(text).toMatch(/^\uFEFFName,Right,Questions,Points,.*\r\nAda,\d,3,/);
  });

  it('tell a host who presented what to teach again, and the hardest words are played again', async () => {
    const host = await browser.newVisitor('Ms Pert');
    const settings = { hostPlays: false, rounds: 4, roundMs: 300_000 };
    const { code } = await createLobbyAt(host, settings);
    const pupils = [await newPupil(browser, 'Ada', code), await newPupil(browser, 'Ben', code)];
    await host.sees('2 players');
    await host.press('Start the game');
    for (const round of [1, 2, 3, 4]) for (const [at, pupil] of pupils.entries()) await answerRound(pupil, round, at);
    await host.page.getByRole('button', { name: 'Play the 4 hardest again' }).waitFor();

    const review = await host.anotherTab();
    await review.goto((await host.page.getByRole('link', { name: 'How it went' }).getAttribute('href')) ?? '');
    await review.sees('Hardest words');
    expect(await review.page.locator('.hardest > li:visible').count()).toBe(4);
    await review.sees('Who needs help');
    await review.page.locator('.groups summary').filter({ hasText: 'Ben' }).waitFor();
    await review.page.getByRole('link', { name: 'Past games' }).waitFor();
    // Two presses set the hardest words as homework.
    await review.page.getByRole('link', { name: 'Set the hardest as homework' }).click();
    await review.press('Set this homework');
    await review.sees('0 people have begun');

    await host.press('Play the 4 hardest again');
    await host.page.locator('.stage-code').waitFor();
    const again = { listName: 'Hardest words: English to Italian · A1 · Nouns', rounds: 4 };
    await expect.poll(async () => (await lobbyOf(host)).settings).toMatchObject(again);
  });
});
