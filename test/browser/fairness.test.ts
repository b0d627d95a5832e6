// Tests the seal of each question, and what players see if it is broken. [contract 12]
import { expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { meet } from '../support/stage.ts';
import { choose } from '../support/visitor.ts';

const BROKEN = 'The right answer is not the one that was sealed.';

const { newVisitor } = useBrowser();

/** A judgement that names another option as the right one. */
const swapped = (result: { correctOptionId: number }) => ({
  ...result,
  correctOptionId: (result.correctOptionId + 1) % 4,
});

it('a quiz reports a judgement that breaks the seal, also after a reload', async () => {
  const ada = await newVisitor('Ada');
  await ada.page.route('**/api/v1/game/answer', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: swapped(await response.json()) });
  });
  await ada.goto('/');
  await ada.press('Start the quiz');
  await ada.page.locator('.option').first().waitFor();
  await ada.page.reload();
  await choose(ada, 0);
  await ada.page.getByText(BROKEN).waitFor();
  expect(await ada.page.locator('.verdict').count()).toBe(0);
});

it('a game reports it to the player who gets it, and the others play on', async () => {
  const [ada, ben] = [await newVisitor('Ada'), await newVisitor('Ben')];
  await ben.page.routeWebSocket(/\/ws$/, (socket) => {
    const service = socket.connectToServer();
    service.onMessage((text) => {
      const message = JSON.parse(String(text));
      const isResult = message.type === 'game:answer_result';
      socket.send(JSON.stringify(isResult ? swapped(message) : message));
    });
  });
  await meet(ada, ben);
  await ada.press('Start the game');
  for (const player of [ada, ben]) await choose(player, 0);
  await ada.page.getByText('The right answer was sealed before you saw the question').waitFor();
  await ben.sees('The seal is broken');
  await ben.page.getByText(BROKEN).waitFor();
});
