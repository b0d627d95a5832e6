// Refuses passwords that are guessed first: the most common ones, and those made of the owner's name or address.
// [contract 17]
import { readFileSync } from 'node:fs';
import { compatible, foldCase } from '../../text.ts';

/** Common passwords of at least 8 characters, one a line, in the form of `comparable`. Their source is in common-passwords.licence.txt. */
const COMMON = `\n${readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')}`;

/**
 * Matches the service's own words, one or several, each followed by a few digits, blanks or signs. The pattern can
 * match a text in one way only; otherwise backtracking would take exponential time.
 */
const OWN_WORDS = /^(?:(?:vocabulary|vocab|quiz(?:zes)?|service)[\s\p{P}]{0,3}(?:\d{1,4}[\s\p{P}]{0,3})?)+$/u;

/**
 * Checks a password by one search through a text of 95 kB. It takes microseconds, where the hash takes 100 ms, and
 * less memory than ten thousand strings.
 * @param owner the owner's address and name, as far as known
 * @returns whether the password is among the first guesses
 */
export function isTooCommon(password: string, owner: string[]): boolean {
  const guess = comparable(password);
  const known = owner.flatMap((text) => [text, text.replace(/@[^@]*$/, '')]);
  if (OWN_WORDS.test(guess) || COMMON.includes(`\n${guess}\n`)) return true;
  return known.some((text) => comparable(text) === guess);
}

function comparable(text: string): string {
  return foldCase(compatible(text));
}
