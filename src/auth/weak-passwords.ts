// Which passwords are guessed first, whatever they are hashed with: the most common ones, and what
// everybody knows of their owner. [contract 17]
import { readFileSync } from 'node:fs';

/** One a line, of at least 8 characters, as `comparable` makes them; whence: common-passwords.licence.txt. */
const COMMON = `\n${readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')}`;

/**
 * One search through a text of 95 kB, some microseconds beside the 100 ms of the hash, instead of ten
 * thousand strings in memory.
 * @param owner what is known of whom it is for: the address, the name
 * @returns whether the password would be among the first guesses
 */
export function isTooCommon(password: string, owner: string[]): boolean {
  const guess = comparable(password);
  const known = owner.flatMap((text) => [text, text.replace(/@[^@]*$/, '')]);
  return COMMON.includes(`\n${guess}\n`) || known.some((text) => comparable(text) === guess);
}

function comparable(text: string): string {
  // By way of upper case it is a folding: ß is ss, both sigmas are one.
  return text.normalize('NFKC').trim().toUpperCase().toLowerCase();
}
