// Names a device by its user agent. Browsers include each other's names, so that the more specific patterns
// come first. Pure.
import type { Texts } from '../i18n/en/index.ts';

const BROWSERS: [name: string, sign: RegExp][] = [
  ['Edge', /Edg(e|A|iOS)?\//],
  ['Opera', /OPR\/|Opera/],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\/|Chromium\//],
  ['Safari', /Safari\//],
];

const SYSTEMS: [name: string, sign: RegExp][] = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['ChromeOS', /CrOS/],
  ['Mac', /Macintosh/],
  ['Linux', /Linux/],
];

/** @returns browser and system in words, as far as known; undefined if neither is */
export function describeDevice({ account }: Texts, userAgent: string | null): string | undefined {
  const { browser, system } = nameDevice(userAgent);
  return browser && system ? account.browserOn(browser, system) : (browser ?? system);
}

export function nameDevice(userAgent: string | null): { browser?: string; system?: string } {
  const find = (names: typeof BROWSERS) => names.find(([, sign]) => userAgent !== null && sign.test(userAgent))?.[0];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  return { ...(browser && { browser }), ...(system && { system }) };
}
