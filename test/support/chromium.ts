// The browser of the browser tests: one that is installed on this machine, headless, with nothing
// that would call home.
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

/** How long a step may take in a window: longer than a round, on a machine that has other work. */
const PATIENCE_MS = 60_000;

export interface Chromium {
  /** A window of its own: nothing is shared with the others. */
  open(options?: BrowserContextOptions): Promise<BrowserContext>;
  stop(): Promise<void>;
}

/** Starts the browser of this machine. @throws Error that says how to get one */
export async function startChromium(): Promise<Chromium> {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    // Its sandbox does not work for root, as in a container.
    args: [...ARGUMENTS, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: { ...process.env, HOME: mkdtempSync(join(inject('temporaryFolder'), 'browser-')) },
  });
  return {
    async open(options = {}) {
      const window = await browser.newContext({ locale: 'en-GB', ...options });
      window.setDefaultTimeout(PATIENCE_MS);
      return window;
    },
    stop: () => browser.close(),
  };
}

/** @returns the program: CHROMIUM_BIN, or the first one found where browsers usually are */
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
