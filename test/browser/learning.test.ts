// What one has learned, on the page: what is due today. [contract 13]
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Chromium, startChromium } from '../support/chromium.ts';
import { type Fleet, startFleet } from '../support/fleet.ts';
import { arriveSignedIn, choose, type Visitor } from '../support/visitor.ts';

let fleet: Fleet;
let chromium: Chromium;
beforeAll(async () => {
  fleet = await startFleet();
  chromium = await startChromium();
});
afterAll(async () => {
  await chromium?.stop();
  await fleet?.stop();
});

async function newLearner(name: string): Promise<Visitor> {
  const learner = await arriveSignedIn(fleet, chromium, name);
  onTestFinished(() => learner.close());
  return learner;
}

/** Answers so many questions of a quiz of ten, which stays open. */
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

/** Waits until so many words are learned, and lets a week go by for them. */
async function letAWeekPass(name: string, words: number): Promise<void> {
  const { db } = fleet.services;
  const { id: userId } = await db.user.findFirstOrThrow({ where: { name } });
  await expect.poll(() => db.learnedWord.count({ where: { userId } })).toBe(words);
  const due = new Date(Date.now() - 60_000);
  await db.learnedWord.updateMany({ where: { userId }, data: { due } });
}

describe('the home screen', () => {
  it('tells a newcomer nothing of what is due', async () => {
    const learner = await newLearner('Newcomer');
    await learner.goto('/');
    await learner.page.getByRole('button', { name: 'Start the quiz' }).waitFor();
    expect(await learner.page.locator('.due').count()).toBe(0);
  });

  it('says first what is due today, and practises it', async () => {
    const learner = await newLearner('Learner');
    const { page } = learner;
    await answer(learner, 3);
    await letAWeekPass('Learner', 3);
    await learner.goto('/');
    await learner.sees('3 words are due');
    await page.locator('.due').getByText('1 day in a row · 3 answers today').waitFor();
    await page.locator('.due').getByText('English to Italian · A1 · Nouns').waitFor();
    await learner.press('Practise 3 due words');
    await learner.sees('Question 1 of 3');
  });
});
