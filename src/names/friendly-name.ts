// Friendly names of two words, `Brave Otter`, which the service gives to users who come without a name, and in lobbies
// whose host wants no others. Both kinds of words are chosen so that no pair of them can hurt anybody: no parts of the
// body, no colours of skin, and no animals that are called names. In German, French, Italian and Spanish all nouns are
// masculine, so that the adjectives have one form. [contract 22]
import { readFileSync } from 'node:fs';
import { PAGE_LANGUAGES, type PageLanguage } from './languages.ts';
import { wantedLanguage } from './wanted-language.ts';

/** The words of a language: the file has the adjectives, an empty line, and the nouns. */
function readWords(language: PageLanguage) {
  const text = readFileSync(new URL(`words/${language}.txt`, import.meta.url), 'utf8');
  const [adjectives = [], nouns = []] = text.split('\n\n').map((part) => part.trim().split(/\s+/));
  return { adjectives, nouns, isAdjectiveFirst: language === 'en' || language === 'de' };
}

export const NAME_WORDS = Object.fromEntries(
  PAGE_LANGUAGES.map((language) => [language, readWords(language)]),
) as Record<PageLanguage, ReturnType<typeof readWords>>;

/** @param random returns an integer from 0 to `max` − 1, from a cryptographic source, so that nobody foresees names */
export function friendlyName(acceptLanguage: string | undefined, random: (max: number) => number): string {
  const { adjectives, nouns, isAdjectiveFirst } = NAME_WORDS[wantedLanguage(acceptLanguage) ?? 'en'];
  const [adjective, noun] = [adjectives, nouns].map((words) => words[random(words.length)]);
  return isAdjectiveFirst ? `${adjective} ${noun}` : `${noun} ${adjective}`;
}
