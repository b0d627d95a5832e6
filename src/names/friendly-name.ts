// Friendly names of two words, `Brave Otter`, which the service gives to users who come without a name, and in lobbies
// whose host wants no others. [contract 22]
import Negotiator from 'negotiator';
import { de, en, es, fr, it, type NameWords } from './words.ts';

/** The words by language, which are the languages of the page. English comes first, for everybody else. */
export const NAME_WORDS: Readonly<Record<string, NameWords>> = { en, de, es, fr, it };

/** @returns an integer from 0 to `max` - 1, all equally likely */
type RandomInt = (max: number) => number;

/**
 * @param acceptLanguage the header of the request, which has the languages of the user's browser; a language that has
 *   no words, and a missing header, count as English
 * @param random must be cryptographic, so that nobody foresees the name of another user
 */
export function friendlyName(acceptLanguage: string | undefined, random: RandomInt): string {
  const languages = Object.keys(NAME_WORDS);
  const headers = { 'accept-language': acceptLanguage ?? 'en' };
  const language = new Negotiator({ headers }).language(languages) ?? 'en';
  const { adjectives, nouns, order } = NAME_WORDS[language] ?? en;
  const [adjective, noun] = [adjectives, nouns].map((words) => words[random(words.length)]);
  return order === 'adjective first' ? `${adjective} ${noun}` : `${noun} ${adjective}`;
}
