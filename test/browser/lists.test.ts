// Tests the user's own lists on the page: imported, played, shared and deleted. [contract 14]
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { pasteWords } from '../support/tour.ts';
import { choose, type Visitor } from '../support/visitor.ts';

const SPREADSHEET = [
  'der Zug\tjuna',
  'die Karte\tlippu\tdie Fahrkarte',
  'die Karte\tkartta\tdie Landkarte',
  'der Bahnsteig\tlaituri',
  'die Verspätung\tmyöhästyminen',
].join('\n');

const { newVisitor, newStranger } = useBrowser({ GUESTS: 'true' });

/** Creates a list from the spreadsheet. @returns its path */
async function makeList(visitor: Visitor, name = 'Station'): Promise<string> {
  const { page } = visitor;
  await visitor.goto('/lists/new');
  await page.getByLabel('Name of the list').fill(name);
  await page.getByLabel('From', { exact: true }).selectOption('de');
  await page.getByLabel('To', { exact: true }).selectOption('fi');
  await pasteWords(visitor, SPREADSHEET);
  await visitor.press('Save the list');
  await visitor.sees(name);
  await page.getByText('German to Finnish · 5 words').waitFor();
  return new URL(page.url()).pathname;
}

describe('an own list', () => {
  it('[contract 26] is learned both ways by one press, and its progress has each way by itself', async () => {
    const visitor = await newVisitor('Both');
    const { page } = visitor;
    await makeList(visitor);
    await visitor.press('German to Finnish');
    await page.getByRole('button', { name: 'Finnish to German', pressed: true }).waitFor();
    await visitor.press('Start the quiz');
    await visitor.sees('Question 1 of 5');
    await page.getByText('What is it in German?').waitFor();
    expect(SPREADSHEET.split(/\s/)).toContain(await page.locator('.prompt h2').innerText());
    await choose(visitor, 0);
    await page.locator('.verdict').waitFor();

    const entry = page.locator('.stages > li').filter({ hasText: 'Station, the other way round' });
    // A worker learns the answer within some seconds.
    const reload = async () => {
      await visitor.goto('/progress');
      await visitor.sees('Your words');
      return entry.count();
    };
    await expect.poll(reload, { timeout: 15_000, interval: 1000 }).toBe(1);
    await entry.getByText('1 being learned').waitFor();
    await page.locator('.stages > li').filter({ hasText: '5 new' }).getByText('Station', { exact: true }).waitFor();
    await entry.getByRole('button', { name: 'Show words' }).click();
    await entry.getByText('juna – der Zug').waitFor();
    await entry.getByRole('button', { name: 'Practise', exact: true }).click();
    await page.getByText('What is it in German?').waitFor();
  });

  it('exchanges its columns with its languages', async () => {
    const visitor = await newVisitor('Swap');
    const { page } = visitor;
    await makeList(visitor);
    await page.getByRole('button', { name: 'Swap the languages', exact: true }).click();
    await visitor.press('Change “juna”');
    await expect.poll(() => page.getByLabel('Translation').inputValue()).toBe('der Zug');
    await visitor.press('Save the list');
    await page.getByText('Finnish to German · 5 words').waitFor();
  });

  it('is imported from a spreadsheet; invalid lines are marked and corrected in place', async () => {
    const visitor = await newVisitor('Ada', { path: '/' });
    const { page } = visitor;
    await page.getByRole('link', { name: 'Your word lists' }).click();
    await page.getByText('Bring the words').waitFor();
    await page.getByRole('link', { name: 'New list' }).click();
    await page.getByLabel('Name of the list').fill('Station');
    await pasteWords(visitor, `Deutsch\tFinnisch\n${SPREADSHEET}\nder Gleis\t\nZüge\tjunat\tviele\tmehr\n`);
    await page.getByText('7 words added.').waitFor();
    await page.getByText('looks like a heading').waitFor();
    await page.getByText('2 lines need a look.').waitFor();
    await page.getByText('Line 6: Translation is missing').waitFor();
    await page.getByText('Line 7: This line has more columns than the others.').waitFor();
    await visitor.press('Save the list');
    await page.getByRole('alert').getByText('Some lines are not right yet.').waitFor();

    await visitor.press('Show only these');
    await expect.poll(() => page.locator('.terms > li').count()).toBe(2);
    await visitor.press('Change “der Gleis”');
    await page.getByLabel('Word', { exact: true }).fill('das Gleis');
    await page.getByLabel('Translation').fill('raide');
    await page.keyboard.press('Enter');
    await page.getByText('1 line needs a look.').waitFor();
    await visitor.press('Change “Züge”');
    await visitor.press('Remove');
    await expect.poll(() => page.locator('.terms > li').count()).toBe(6);

    // The draft survives a reload.
    await page.reload();
    await visitor.press('Save the list');
    await visitor.sees('Station');
    await page.getByText('6 words').first().waitFor();
    await page.reload();
    await page.getByText('das Gleis').waitFor();
    expect(await page.getByText('not saved yet').count()).toBe(0);
  });

  it('is imported with separators of its own, with a preview, and goes out to spreadsheets and Anki', async () => {
    const { page, press, sees, downloads } = await newVisitor('Ada', { path: '/lists/new' });
    await page.getByLabel('Name of the list').fill('Cards');
    await page.locator('textarea').fill('=a / eins;zwei*b / =drei;vier');
    await press('Preview');
    await page.getByLabel('Between two words').selectOption('Other');
    await page.getByLabel('Which one?').fill('*');
    await page.getByText('2 words found.').waitFor();
    const cells = await page.locator('.import-preview td').allInnerTexts();
    expect(cells.slice(0, 2)).toEqual(['=a / eins', 'zwei']);
    await press('Add these words');
    await press('Save the list');
    await sees('Cards');
    for (const [button, line] of [
      ['Download as a table (CSV)', "'=a / eins,zwei,"],
      ['Download for Anki', '"=a / eins"\t"zwei"'],
    ] as const) {
      const { file, text } = await downloads(button);
      expect(file).toMatch(/^Cards\.(csv|txt)$/);
      expect(text).toContain(line);
    }
  });

  it('without a name is not saved, and leads to the field', async () => {
    const visitor = await newVisitor('Ada', { path: '/lists/new' });
    const { page } = visitor;
    await pasteWords(visitor, 'dog\tHund\ncat\tKatze');
    await page.getByText('With fewer than four words').waitFor();
    for (let attempt = 0; attempt < 2; attempt++) {
      await visitor.press('Save the list');
      const field = page.getByRole('textbox', { name: 'Name of the list' });
      await page.locator('[name=list]:focus[aria-invalid=true]').waitFor();
      expect(await field.getAttribute('aria-describedby')).toBe(await page.getByRole('alert').getAttribute('id'));
      await page.getByLabel('Share by link').focus();
    }
    await page.getByLabel('Name of the list').fill('Two');
    expect(await page.locator('[aria-invalid]').count()).toBe(0);
    await visitor.press('Save the list');
    await visitor.sees('Two');
    await page.getByText(/· 2 words/).waitFor();
  });

  it('can be played in a quiz and in a lobby', async () => {
    const visitor = await newVisitor('Ada');
    const { page } = visitor;
    await makeList(visitor);
    await visitor.press('Invite friends');
    await visitor.sees('Waiting room');

    await visitor.goto('/');
    await page.getByLabel('Words', { exact: true }).selectOption('Station');
    await visitor.press('Start the quiz');
    await page.getByText('What is it in Finnish?').waitFor();
    await visitor.goto('/');
    await visitor.press('Invite friends');
    await visitor.sees('Waiting room');
  });

  it('is shared by its link, and others, guests as well, can open, play and copy it', async () => {
    const ada = await newVisitor('Ada');
    const path = await makeList(ada);
    const ben = await newVisitor('Ben', { path });
    await ben.page.getByText('it is not shared any more').waitFor();
    await ada.page.getByLabel('Share by link').check();
    await ada.press('Save the list');
    await ada.page.getByRole('link', { name: path }).waitFor();

    const guest = await newStranger('Gus', { path });
    await guest.submits({ Name: 'Gus' }, 'Play');
    await guest.page.getByText('Somebody has shared this list with you.').waitFor();

    await ben.goto(path);
    await ben.page.getByText('Somebody has shared this list with you.').waitFor();
    await ben.page.getByText('die Landkarte').waitFor();
    expect(await ben.page.getByRole('button', { name: /^Change/ }).count()).toBe(0);
    await ben.press('Start the quiz');
    await ben.sees('Question 1 of 5');
    await ben.page.getByText('What is it in Finnish?').waitFor();
    await ben.goto(path);
    await ben.press('Copy to your lists');
    await ben.page.getByRole('button', { name: 'Delete the list' }).waitFor();
    expect(new URL(ben.page.url()).pathname).not.toBe(path);
  });

  it('is deleted after a confirmation', async () => {
    const visitor = await newVisitor('Ada');
    const { page } = visitor;
    const path = await makeList(visitor);
    await visitor.confirms('Delete the list');
    await page.getByText('Bring the words').waitFor();
    await visitor.goto(path);
    await page.getByText('This list is not there').waitFor();
  });

  it('shows nothing of the list before while its own words are on their way', async () => {
    const visitor = await newVisitor('Ada');
    const { page } = visitor;
    const second = await makeList(visitor, 'Second');
    await visitor.goto(await makeList(visitor, 'First'));
    await visitor.sees('First');
    const arrived = Promise.withResolvers<void>();
    await page.route(`**/api/v1${second}`, async (route) => {
      await arrived.promise;
      await route.continue();
    });
    await page.evaluate(`history.pushState(null, '', '${second}'); dispatchEvent(new PopStateEvent('popstate'))`);
    await page.getByRole('heading', { name: 'First' }).waitFor({ state: 'hidden' });
    arrived.resolve();
    await visitor.sees('Second');
  });

  it('of 2000 words can be changed and saved', async () => {
    const visitor = await newVisitor('Ada', { path: '/lists/new' });
    const { page } = visitor;
    await page.getByLabel('Name of the list').fill('Long');
    const lines = Array.from({ length: 2001 }, (_, at) => `word ${at}\tparola ${at}`);
    await pasteWords(visitor, lines.join('\n'));
    await page.getByText('A list has at most 2000 words').waitFor();
    await page.getByLabel('Find a word').fill('word 1999');
    await visitor.press('Change “word 1999”');
    await page.getByLabel('Translation').fill('ultima');
    await visitor.press('Done');
    await page.getByText('ultima').waitFor();
    await visitor.press('Save the list');
    await page.getByText('2000 words').first().waitFor();
    await visitor.sees('Long');
    await page.getByLabel('Find a word').fill('ultima');
    await expect.poll(() => page.locator('.terms > li').count()).toBe(1);
  });
});
