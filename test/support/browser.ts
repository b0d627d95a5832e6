// The set-up of a file of browser tests: a service, a browser, and visitors. A visitor's window is closed
// when its test has finished; errors that the page has reported until then fail the test.
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type Chromium, startChromium } from './chromium.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { arrive, arriveSignedIn, type Visitor } from './visitor.ts';

/** Opens a window for the current test. */
type Open = (name: string, options?: BrowserContextOptions) => Promise<Visitor>;

export interface TestBrowser {
  /** The fleet is usable within tests only, since `beforeAll` starts it. */
  readonly fleet: Fleet;
  /** Opens a window of a new user who is signed in. */
  newVisitor: Open;
  /** Opens a window of somebody who is not signed in. */
  newStranger: Open;
}

/**
 * Starts a fleet and Chromium before the tests of a file and stops both after them.
 * @param env overrides of the fleet's environment variables
 * @param replicas the number of replicas, which a test of the page alone needs one of
 */
export function useBrowser(env: NodeJS.ProcessEnv = {}, replicas = 1): TestBrowser {
  let fleet: Fleet;
  let chromium: Chromium;
  beforeAll(async () => {
    fleet = await startFleet(env, replicas);
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
