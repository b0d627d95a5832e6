// Tests problems that were found in use: the next control is on the screen, typed text is not lost, and
// actions that can't be undone ask for a confirmation.
import { expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { createLobbyAt, meet, PATIENT } from '../support/stage.ts';
import { choose, goOn, type Visitor } from '../support/visitor.ts';

const browser = useBrowser();

const newVisitor = (name: string, width = 1280, height = 720) =>
  browser.newVisitor(name, { viewport: { width, height }, reducedMotion: 'reduce' });

/** @returns how far the elements reach above and below the screen, in pixels; 0 if all are visible */
async function hiddenPx({ page }: Visitor, selector: string): Promise<number> {
  await page.locator(selector).first().waitFor();
  return page.evaluate<number>(`Math.max(0, ...[...document.querySelectorAll('${selector}')]
    .map((node) => node.getBoundingClientRect())
    .flatMap(({ top, bottom }) => [-top, bottom - innerHeight]))`);
}

it.each([
  [360, 640],
  [640, 360],
])('a question and its four answers are seen at %i × %i, also after a long result', async (width, height) => {
  const host = await newVisitor('Ada', width, height);
  const guest = await newVisitor('Ben');
  await meet(host, guest);
  await host.press('Start the game');
  for (const round of [1, 2]) {
    await host.page.locator('.option-plain').first().waitFor();
    await guest.page.locator('.option-plain').first().waitFor();
    expect({ round, hiddenPx: await hiddenPx(host, '#prompt, .option') }).toEqual({ round, hiddenPx: 0 });
    await choose(host, 0);
    await choose(guest, 1);
    await host.page.locator('.go-on').waitFor();
    await host.page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await goOn(host);
  }
});

it.each([
  [360, 640],
  [1280, 800],
])('all ways to play are seen at once at %i × %i', async (width, height) => {
  const visitor = await newVisitor('Ada', width, height);
  await visitor.goto('/');
  await visitor.page.getByRole('button', { name: 'Invite friends' }).waitFor();
  expect(await hiddenPx(visitor, 'main form [type=submit]')).toBe(0);
});

it('signing out during a quiz, and stopping it, need a confirmation', async () => {
  const visitor = await newVisitor('Ada', 1280, 900);
  await visitor.goto('/');
  await visitor.press('Start the quiz');
  await visitor.sees('Question 1 of 10');
  await visitor.press('Sign out');
  await visitor.page.locator('dialog[open]').getByRole('button', { name: 'Stay' }).click();
  await visitor.confirms('Stop');
  await visitor.sees('Hello, Ada');
  await visitor.press('Sign out');
  await visitor.sees('Learn words by playing.');
});

/** @returns a switch that lets the network lose the visitor's answers. It has to be called before the page is opened */
async function loseAnswers({ page }: Visitor): Promise<{ isOn: boolean }> {
  const loss = { isOn: true };
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const service = socket.connectToServer();
    socket.onMessage((message) => {
      const isLost = loss.isOn && String(message).includes('"game:answer"');
      if (!isLost) service.send(message);
    });
  });
  return loss;
}

it('an answer counts as sent only once the service has it, and its loss is told', async () => {
  const [host, guest] = [await newVisitor('Ada'), await newVisitor('Ben')];
  const loss = await loseAnswers(guest);
  await meet(host, guest);
  await host.press('Start the game');
  await choose(guest, 0);
  await guest.page.getByText('Sending your answer…').waitFor();
  loss.isOn = false;
  await guest.page.getByText('Your answer is locked in.').waitFor();
  await choose(host, 0);
  await guest.page.locator('.verdict-text').waitFor();
  await goOn(host);
  await guest.sees('Round 2 of 3');
  loss.isOn = true;
  await choose(guest, 0);
  await host.press('End this round');
  await guest.page.getByText('your answer came too late').waitFor();
});

it('a result shows its word in a window that was opened during it, and to who joins then', async () => {
  const [host, guest, late] = [await newVisitor('Ada'), await newVisitor('Ben'), await newVisitor('Cy')];
  const settings = { ...PATIENT, lateJoin: true };
  const { code } = await createLobbyAt(host, settings);
  await guest.goto(`/lobby/${code}`);
  await host.page.locator('.players li').nth(1).waitFor();
  await host.press('Start the game');
  const word = await guest.page.locator('#prompt > span').innerText();
  await choose(host, 0);
  await choose(guest, 0);
  const shown = guest.page.locator('.prompt h2');
  await guest.page.locator('.option-bars .is-right').waitFor();
  await shown.getByText(word, { exact: true }).first().waitFor();
  const solution = await shown.innerText();
  for (const visitor of [await guest.anotherTab(), late]) {
    await visitor.goto(`/lobby/${code}`);
    await expect.poll(() => visitor.page.locator('.prompt h2').innerText()).toBe(solution);
    await expect.poll(() => visitor.page.locator('.option-bars .is-right').count()).toBe(1);
  }
});
