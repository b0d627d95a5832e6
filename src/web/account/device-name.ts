// What people call a device, from what its browser says of itself. Pure. Browsers pretend to be each
// other: the more special name comes first.
import type { Texts } from '../i18n/en.ts';

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

/** @returns them in words; nothing where neither is known */
export function describeDevice({ account }: Texts, userAgent: string | null): string | undefined {
  const { browser, system } = nameDevice(userAgent);
  return browser && system ? account.browserOn(browser, system) : (browser ?? system);
}

/** @returns the names as far as they are known */
export function nameDevice(userAgent: string | null): { browser?: string; system?: string } {
  const find = (names: typeof BROWSERS) =>
    names.find(([, sign]) => userAgent !== null && sign.test(userAgent))?.[0];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  return { ...(browser && { browser }), ...(system && { system }) };
}
