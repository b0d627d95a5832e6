// What every file of browser tests begins with: a service, a browser, and visitors whose windows are
// closed when their test is finished, which is also when whatever went wrong inside them fails it.
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type Chromium, startChromium } from './chromium.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { arrive, arriveSignedIn, type Visitor } from './visitor.ts';

/** Opens a window, for the test that runs. */
type Open = (name: string, options?: BrowserContextOptions) => Promise<Visitor>;

export interface TestBrowser {
  /** Of the tests alone: it is started after the file was read. */
  readonly fleet: Fleet;
  /** A new user who is signed in. */
  newVisitor: Open;
  /** Somebody who is not signed in. */
  newStranger: Open;
}

/**
 * For the top of a file: starts a fleet and Chromium before its tests, and stops both after them.
 * @param env overrides of the fleet's environment
 */
export function useBrowser(env: NodeJS.ProcessEnv = {}): TestBrowser {
  let fleet: Fleet;
  let chromium: Chromium;
  beforeAll(async () => {
    fleet = await startFleet(env);
    chromium = await startChromium();
  });
  afterAll(async () => {
    await chromium?.stop();
    await fleet?.stop();
  });

  const opening =
    (open: typeof arrive | typeof arriveSignedIn): Open =>
    async (name, options) => {
      const visitor = await open(fleet, chromium, name, options);
      onTestFinished(() => visitor.close());
      return visitor;
    };
  return {
    get fleet() {
      return fleet;
    },
    newVisitor: opening(arriveSignedIn),
    newStranger: opening(arrive),
  };
}
