// Tests homework on the page: set from a list, done by a guest on two devices, and what its owner sees. [contract 21]
import { expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { createListAt, PHONE } from '../support/stage.ts';
import type { Visitor } from '../support/visitor.ts';

const WORDS = { Zug: 'il treno', Stadt: 'la città', Auto: 'la macchina', Bahnhof: 'la stazione' };

const browser = useBrowser({ GUESTS: 'true' });

/** Stores WORDS as this visitor, and sets them as typed homework on the list's page. @returns its path */
async function setHomework(teacher: Visitor): Promise<string> {
  const { page } = teacher;
  const terms = Object.entries(WORDS).map(([sourceText, targetText]) => ({ sourceText, targetText }));
  const list = { name: 'Bahnhof', sourceLanguage: 'de', targetLanguage: 'it', terms };
  const listId = await createListAt(teacher, list);
  await teacher.goto(`/lists/${listId}`);
  await page.getByRole('link', { name: 'Set homework' }).click();
  expect(await page.getByLabel('Title').inputValue()).toBe('Bahnhof');
  await page.getByRole('group', { name: 'Questions' }).getByRole('radio', { name: '4' }).check();
  await page.getByRole('radio', { name: 'Type' }).check();
  await page.getByRole('group', { name: 'Attempts' }).getByRole('radio', { name: '2' }).check();
  await teacher.press('Set this homework');
  await teacher.sees('0 people have begun');
  return new URL(page.url()).pathname;
}

/** Answers the current question: all but `Zug` right. */
async function answerOne({ page }: Visitor): Promise<void> {
  const prompt = await page.locator('#prompt > span').innerText();
  const answers: Record<string, string> = { ...WORDS, Zug: 'aereo' };
  await page.locator('.typed input').fill(answers[prompt] ?? '');
  await page.keyboard.press('Enter');
  await page.locator('.verdict').waitFor();
}

it('is set from a list, done by a guest, resumed elsewhere, and its owner sees the results', async () => {
  const teacher = await browser.newVisitor('Ms Rossi', PHONE);
  const path = await setHomework(teacher);
  const pupil = await browser.newStranger('Mia', { ...PHONE, path });
  // Whoever has the link knows what it is before a name is asked for.
  await pupil.sees('Bahnhof');
  await pupil.page.getByText(/^Homework from Ms Rossi · Until /).waitFor();
  await pupil.page.getByText('Ms Rossi sees the name that you enter').waitFor();
  await pupil.page.getByLabel('Name').fill('Mia');
  await pupil.page.keyboard.press('Enter');
  await pupil.page.getByText('Homework from Ms Rossi').waitFor();
  await pupil.page.getByText('2 attempts left').waitFor();
  await pupil.page.getByText('on this device; with an account on any').waitFor();
  await pupil.sees('Keep your progress');
  await pupil.press('Begin');
  await pupil.sees('Question 1 of 4');
  await answerOne(pupil);
  // Another window has another storage, as another device has.
  const elsewhere = await pupil.anotherTab();
  await elsewhere.goto('/');
  await elsewhere.sees('Your homework');
  await elsewhere.page.getByRole('link', { name: 'Bahnhof' }).click();
  await elsewhere.press('Go on where you were');
  for (let index = 1; index < 4; index++) {
    await elsewhere.sees(`Question ${index + 1} of 4`);
    await answerOne(elsewhere);
    await elsewhere.press(index < 3 ? 'Next question' : 'See the result');
  }
  await elsewhere.sees('Done!');
  await elsewhere.page.getByText('3 of 4 right').waitFor({ state: 'attached' });
  expect(await elsewhere.page.getByRole('button', { name: 'Play again' }).count()).toBe(0);
  await elsewhere.press('Practise the missed words');
  await elsewhere.sees('Question 1 of 1');
  await elsewhere.goto(path);
  await elsewhere.page.getByText('Your best result: 3 of 4').waitFor();
  await elsewhere.page.getByRole('button', { name: 'Try again' }).waitFor();

  await teacher.page.reload();
  await teacher.sees('1 person has begun, 1 done');
  expect(await teacher.page.locator('.people tbody tr').innerText()).toMatch(/Mia\s+3\/4\s+done/);
  expect(await teacher.page.locator('.hardest li').first().innerText()).toMatch(/^Zug → il treno/);
  await teacher.page.getByText('Often: aereo (1)').waitFor();
  await teacher.press(/^Mia$/);
  await expect.poll(() => teacher.page.locator('.people li').allInnerTexts()).toEqual(['Zug → il treno']);
  expect((await teacher.downloads('Download as a table (CSV)')).text).toContain('Mia');
  await teacher.press('Play the 4 hardest in class');
  await teacher.sees('Join the game');
  await teacher.page.getByText('Hardest words: Bahnhof').waitFor();
  await teacher.goto(path);
  await teacher.confirms('Remove Mia');
  await teacher.sees('0 people have begun, 0 done');
  await elsewhere.goto(path);
  await elsewhere.press('Begin');
  await elsewhere.sees('Question 1 of 4');
  await answerOne(elsewhere);
  await teacher.page.reload();
  await teacher.confirms('Remove all guests');
  await teacher.sees('0 people have begun, 0 done');
});

it('is prolonged, closed and deleted by its owner', async () => {
  const teacher = await browser.newVisitor('Ms Rossi', PHONE);
  const { page } = teacher;
  const path = await setHomework(teacher);
  await teacher.submits({ Until: '2027-01-15T18:00', Title: 'At the station' }, 'Save the changes');
  await teacher.sees('At the station');
  await page.getByText(/Until 15 Jan 2027, 18:00/).waitFor();
  await teacher.confirms('Close now');
  await page.getByText('Closed since').waitFor();
  const pupil = await browser.newVisitor('Ben', { ...PHONE, path: '/' });
  await pupil.submits({ 'Got a code?': path.split('/')[2] ?? '' }, 'Join');
  await pupil.page.getByText('This assignment is closed.').waitFor();
  expect(await pupil.page.getByRole('button', { name: 'Begin' }).count()).toBe(0);
  await teacher.goto('/');
  await page.getByRole('link', { name: 'Homework' }).click();
  await page.getByRole('link', { name: 'At the station' }).click();
  await teacher.confirms('Delete the homework');
  await page.getByText('Set words as homework').waitFor();
  await pupil.page.reload();
  await pupil.page.getByText('There is no assignment with this code.').waitFor();
});
