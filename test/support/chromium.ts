// Starts the browser of the browser tests: the machine's installed Chromium or Chrome, headless and without
// background requests.
import { accessSync, constants, mkdtempSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import { chromium } from 'playwright-core';
import { inject } from 'vitest';

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

export interface Chromium {
  /** Opens a window that shares neither cookies nor storage with others. */
  open(options?: BrowserContextOptions): Promise<BrowserContext>;
  stop(): Promise<void>;
}

/** @throws Error with instructions if no browser is installed */
export async function startChromium(): Promise<Chromium> {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    // Chromium's sandbox does not work for root, who often runs the tests in a container.
    args: [...ARGUMENTS, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: { ...process.env, HOME: mkdtempSync(join(inject('temporaryFolder'), 'browser-')) },
  });
  return {
    async open(options = {}) {
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
  const found = (CHROMIUM_BIN ? [CHROMIUM_BIN] : [...usual, ...ELSEWHERE]).find(isProgram);
  if (found) return found;
  throw new Error(
    CHROMIUM_BIN
      ? `CHROMIUM_BIN names ${CHROMIUM_BIN}, which can't be run.`
      : 'No Chromium or Chrome found. Install one (Debian, Ubuntu: apt-get install chromium; ' +
          'macOS: brew install --cask chromium), or set CHROMIUM_BIN to the program.',
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
