// The set-up of a file of browser tests: a service, a browser, and visitors. A visitor's window is closed
// when its test has finished; errors that the page has reported until then fail the test.
import { existsSync, mkdtempSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { inject, onTestFinished } from 'vitest';
import { startFleet } from './fleet.ts';
import { forAllTests } from './for-all-tests.ts';
import { createSignedInUser } from './users.ts';
import { newTab } from './visitor.ts';

interface WindowOptions extends BrowserContextOptions {
  /** The path of the page that the window shows; without it the page is empty. */
  path?: string;
}

export type TestBrowser = ReturnType<typeof useBrowser>;

/** With these settings no phase ends by itself, and no limit of sign-ins is reached. */
const USUAL = { ROUND_DURATION_MS: '300000', RATE_LIMIT_AUTH_MAX: '100000' };

/**
 * Starts a fleet and Chromium for all tests of a file.
 * @param env overrides of the fleet's environment variables
 * @param replicas the number of replicas, which a test of the page alone needs one of
 * @param host the name by which visitors reach the fleet
 */
export function useBrowser(env: NodeJS.ProcessEnv = {}, replicas = 1, host = '127.0.0.1') {
  const fleet = forAllTests(() => startFleet({ ...USUAL, ...env }, replicas, host));
  const chromium = forAllTests(startChromium);

  async function open(name: string, { path, ...options }: WindowOptions, cookie?: string) {
    const context = await chromium.open({ baseURL: fleet.url, ...options });
    const visitor = await newTab(context, name);
    onTestFinished(() => visitor.close());
    const [, key = '', value = ''] = /^(.*?)=(.*)$/.exec(cookie ?? '') ?? [];
    if (cookie) await context.addCookies([{ name: key, value, url: fleet.url }]);
    if (path) await visitor.goto(path);
    return visitor;
  }
  return {
    fleet,
    /** Opens a window of a new user who is signed in, for the current test. */
    async newVisitor(name: string, options: WindowOptions = {}) {
      const { cookie } = await createSignedInUser(fleet.services, { name });
      return open(name, options, cookie);
    },
    /** Opens a window of somebody who is not signed in, for the current test. */
    newStranger: (name: string, options: WindowOptions = {}) => open(name, options),
  };
}

// Starts the browser of the browser tests: the machine's installed Chromium or Chrome, headless and without
// background requests.

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The timeout of a step in a window, ms. It exceeds a round's duration, since the machine may be busy. */
const STEP_TIMEOUT_MS = 60_000;

export type Chromium = Awaited<ReturnType<typeof startChromium>>;

/** @throws Error with instructions if no browser is installed */
export async function startChromium() {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    // Chromium's sandbox does not work for root, who often runs the tests in a container.
    args: [...ARGUMENTS, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: { ...process.env, HOME: mkdtempSync(join(inject('temporaryFolder'), 'browser-')) },
  });
  return {
    /** Opens a window that shares neither cookies nor storage with others. */
    async open(options: BrowserContextOptions = {}): Promise<BrowserContext> {
      // A service worker would answer some of the requests that tests intercept.
      const usual = { locale: 'en-GB', serviceWorkers: 'block' } as const;
      const window = await browser.newContext({ ...usual, ...options });
      window.setDefaultTimeout(STEP_TIMEOUT_MS);
      return window;
    },
    stop: () => browser.close(),
  };
}

/** @returns the program that CHROMIUM_BIN names, or else the first one in the usual places */
function findChromium(): string {
  const { CHROMIUM_BIN, PATH = '' } = process.env;
  const folders = PATH.split(delimiter).filter(Boolean);
  const usual = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = (CHROMIUM_BIN ? [CHROMIUM_BIN] : [...usual, ...ELSEWHERE]).find((path) => existsSync(path));
  if (found) return found;
  throw new Error(
    CHROMIUM_BIN
      ? `CHROMIUM_BIN names ${CHROMIUM_BIN}, which does not exist.`
      : 'No Chromium or Chrome found. Install one (Debian, Ubuntu: apt-get install chromium; ' +
          'macOS: brew install --cask chromium), or set CHROMIUM_BIN to the program.',
  );
}
