// Friendly names of two words, `Brave Otter`, which the service gives to users who come without a name, and in lobbies
// whose host wants no others. [contract 22]
import { wantedLanguage } from './wanted-language.ts';
import { de, en, es, fr, it, type NameWords } from './words.ts';

/** The words by language, which are the languages of the page. */
export const NAME_WORDS: Readonly<Record<string, NameWords>> = { en, de, es, fr, it };

/** @returns an integer from 0 to `max` - 1, all equally likely */
type RandomInt = (max: number) => number;

/**
 * @param acceptLanguage the header of the request, which has the languages of the user's browser; a language that has
 *   no words, and a missing header, count as English
 * @param random must be cryptographic, so that nobody foresees the name of another user
 */
export function friendlyName(acceptLanguage: string | undefined, random: RandomInt): string {
  const { adjectives, nouns, order } = NAME_WORDS[wantedLanguage(acceptLanguage) ?? 'en'] ?? en;
  const [adjective, noun] = [adjectives, nouns].map((words) => words[random(words.length)]);
  return order === 'adjective first' ? `${adjective} ${noun}` : `${noun} ${adjective}`;
}
