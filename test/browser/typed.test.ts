// Tests typed answers on the page: in a quiz, in practice, in a game and on the projector. [contract 20]
import { expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { createListAt, createLobbyAt, newPupil, PATIENT, PHONE, PROJECTOR } from '../support/stage.ts';
import { choose, OLD_BROWSER, TRANSLATOR, type Visitor } from '../support/visitor.ts';

const TERMS = [
  { sourceText: 'Mädchen', targetText: 'la ragazza' },
  { sourceText: 'Stadt', targetText: 'la città' },
  { sourceText: 'Auto', targetText: 'la macchina' },
  { sourceText: 'Auto', targetText: 'l’auto' },
  { sourceText: 'Zug', targetText: 'il treno' },
];
const RIGHT: Record<string, string> = { Mädchen: 'ragazza', Auto: 'AUTO', Zug: 'il treno' };

const browser = useBrowser();

/** Stores the words of TERMS as this visitor. @returns the list's id */
const storeWords = (visitor: Visitor) =>
  createListAt(visitor, { name: 'Bahnhof', sourceLanguage: 'de', targetLanguage: 'it', terms: TERMS });

async function type({ page }: Visitor, text: string): Promise<void> {
  await page.locator('.typed input').fill(text);
  await page.keyboard.press('Enter');
}

it('a quiz is typed on an old phone, shows where an answer differs, and what is missed can be practised', async () => {
  const ada = await browser.newVisitor('Ada', PHONE);
  const { page } = ada;
  await page.addInitScript(OLD_BROWSER);
  const listId = await storeWords(ada);
  await ada.goto(`/lists/${listId}`);
  await page.locator('.collapsible').first().click();
  await page.getByRole('radio', { name: 'Type' }).first().check();
  await ada.press('Start the quiz');
  const field = page.locator('.typed input');
  for (let index = 0; index < 4; index++) {
    await ada.sees(`Question ${index + 1} of 4`);
    const prompt = await page.locator('#prompt > span').innerText();
    await page.locator('.typed input:focus').waitFor();
    expect(await field.getAttribute('lang')).toBe('it');
    expect(await field.getAttribute('autocapitalize')).toBe('none');
    expect(await field.getAttribute('autocorrect')).toBe('off');
    expect(await field.getAttribute('spellcheck')).toBe('false');
    if (prompt === 'Stadt') {
      // An answer that is in progress is kept while a letter is put into it.
      await field.fill('cita');
      await field.press('ArrowLeft');
      await page.getByRole('button', { name: 'ò' }).click();
      expect(await field.inputValue()).toBe('citòa');
      await field.fill('citta');
      await page.getByRole('button', { name: 'Answer' }).click();
      await page.getByText('Right! Mind the spelling.').first().waitFor();
      expect(await page.locator('.typed-text mark').allInnerTexts()).toEqual(['a', 'à']);
      await page.reload();
      await page.locator('.typed-text mark').first().waitFor();
    } else if (prompt === 'Zug') {
      await type(ada, 'aereo');
      await page.getByText('Not this time').waitFor();
      expect(await page.locator('.typed-result').innerText()).toContain('il treno');
    } else {
      await type(ada, RIGHT[prompt] ?? '');
      await page.locator('.verdict-right').waitFor();
      if (prompt === 'Auto')
        expect(await page.locator('.also-right').innerText()).toMatch(/la macchina · l’auto$|l’auto · la macchina$/);
    }
    await page.locator('.verdict button').last().click();
  }
  await page.getByText('3 of 4 right').waitFor({ state: 'attached' });
  await page.getByText('you said “aereo”').waitFor();
  await ada.press('Practise the missed words');
  await ada.sees('Question 1 of 1');
  await type(ada, 'trenno');
  await page.getByText('Right! Mind the spelling.').first().waitFor();
  await ada.press('See the result');
  await page.getByText('Now you know every one of them.').waitFor();
});

it('a game is typed: the projector shows how many were right, and only the host what others have typed', async () => {
  const host = await browser.newVisitor('Ms Pert', PROJECTOR);
  const listId = await storeWords(host);
  const settings = { ...PATIENT, answerMode: 'typed', listId, rounds: 2, hostPlays: false, lateJoin: true } as const;
  const { code } = await createLobbyAt(host, settings);
  const ada = await browser.newVisitor('Ada', PHONE);
  // The browser's translation gives no answer away and stops no timer.
  await ada.page.addInitScript(TRANSLATOR);
  await ada.goto(`/lobby/${code}`);
  await ada.page.getByText('Answers: Type').waitFor();
  const ben = await newPupil(browser, 'Ben', code);
  await host.sees('2 players');
  await host.press('Start the game');
  await host.page.getByText('Type the answer on your device.').waitFor();
  await type(ada, 'unwort');
  await ada.page.getByText('Your answer is locked in.').waitFor();
  // An answer that was sent stays after a reload, and is not sent twice.
  await ada.page.reload();
  await ada.page.locator('.option-locked').getByText('unwort').waitFor();
  const timer = ada.page.locator('.timer-number');
  const before = await timer.innerText();
  await expect.poll(() => timer.innerText()).not.toBe(before);
  await host.page.getByText('1 of 2 have answered').waitFor();
  const { question } = await ben.next('game:question');
  const right = TERMS.find(({ sourceText }) => sourceText === question.prompt)?.targetText ?? '';
  ben.send({ type: 'game:answer', questionId: question.questionId, text: right });
  await host.sees('Result of round 1');
  const stage = host.page.locator('.scene-result');
  expect(await stage.locator('.option-bars').innerText()).toMatch(/^Right\s+1\b[^N]+Almost\s+0\b[^N]+Not right\s+1\b/);
  expect(await stage.innerText()).toContain(right);
  expect(await stage.innerText()).not.toContain('unwort');
  await ada.sees('Result of round 1');
  expect(await ada.page.locator('.typed-result .option-wrong').innerText()).toMatch(/YOUR ANSWER.*unwort/s);
  expect(await ada.page.locator('.standings .name').allInnerTexts()).toEqual(['Ben', 'Ada (YOU)']);
  expect(await ada.page.locator('.own-line').innerText()).toBe('Ada · 0 points · 2nd of 2');

  await host.press('To the next question');
  await ada.press('I don’t know');
  // Who comes late is told what is going on.
  const cleo = await browser.newVisitor('Cleo', { ...PHONE, path: `/lobby/${code}` });
  await cleo.page.getByText('The game is under way').waitFor();
  await cleo.press('I don’t know');
  const next = await ben.next('game:question', ({ round }) => round === 2);
  ben.send({ type: 'game:answer', questionId: next.question.questionId, text: 'unrecht' });
  await host.sees('Result of round 2');
  await ada.page.getByText('NOT THIS TIME').waitFor();
  await host.press('To the podium');
  await host.page.locator('.scene-podium').waitFor();
  await cleo.page.locator('.own-line').getByText('Cleo · 0 points · 2nd of 3').waitFor();
  await ada.page.getByText('you said “unwort”').waitFor();
  const { gameId } = await ben.next('game:finished');
  for (const visitor of [host, ada]) {
    await visitor.goto(`/games/${gameId}`);
    // The host sees a group for each player, and Ada one for each word.
    await visitor.page.locator('.groups summary').first().waitFor();
    for (const group of await visitor.page.locator('.groups summary').all()) await group.click();
    await visitor.page.locator('.answer-list').getByText('unwort').waitFor();
  }
  // Ada sees that Ben was right, and not what he has typed.
  expect(await ada.page.locator('.answer-list li', { hasText: 'Ben' }).first().innerText()).toMatch(/Ben\s+right/i);
});

/** A script that replaces the voices, which the test's browser has none of, and records what they speak. */
const VOICES = `
  window.spoken = [];
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  const voices = [
    { lang: 'en-GB', localService: true, default: true },
    { lang: 'it_IT', localService: true, default: false },
    { lang: 'de-DE', localService: false, default: false },
  ];
  Object.defineProperty(window, 'speechSynthesis', {
    value: Object.assign(new EventTarget(), {
      getVoices: () => voices,
      cancel() {},
      speak: ({ lang, text }) => window.spoken.push(lang + ' ' + text),
    }),
  });`;

it('words are spoken by the device’s voices, on a press, by a key, or always', async () => {
  const ada = await browser.newVisitor('Ada');
  const { page } = ada;
  await page.addInitScript(VOICES);
  const spoken = () => page.evaluate<string[]>('window.spoken');
  await ada.goto('/');
  await ada.press('Start the quiz');
  const prompt = await page.locator('#prompt > span').innerText();
  await ada.press('Listen');
  await page.keyboard.press('l');
  expect(await spoken()).toEqual([`en-GB ${prompt}`, `en-GB ${prompt}`]);
  await ada.press('Always read aloud');
  await choose(ada, 0);
  await page.locator('.verdict').waitFor();
  const right = await page.locator('.option-right').innerText();
  await expect.poll(spoken).toContainEqual(expect.stringMatching(/^it_IT /));
  expect((await spoken()).at(-1)).toBe(`it_IT ${right.split('\n')[0]}`);
  // A word in a language whose only voice would send it to a service is not spoken.
  const listId = await storeWords(ada);
  await ada.goto(`/lists/${listId}`);
  await ada.press('Start the quiz');
  await page.locator('.option').first().waitFor();
  expect(await page.locator('.listen').count()).toBe(0);
  await choose(ada, 0);
  await expect.poll(spoken).toEqual([expect.stringMatching(/^it_IT /)]);
});
