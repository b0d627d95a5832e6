// What words are called: a deck by its languages, level and part of speech. In a lobby a list is just
// that, since who is invited may not be able to read it.
import type { LobbySettings } from '../lobby/schema.ts';
import type { Deck } from '../vocabulary/schema.ts';
import type { WordsProgress } from './due.ts';
import { useI18n } from './i18n/index.tsx';

/** @returns names the words of a lobby's settings in the language of the page */
export function useWordsName(): (settings: LobbySettings) => string {
  const { t, languageName } = useI18n();
  return ({ sourceLanguage, targetLanguage }) =>
    sourceLanguage && targetLanguage
      ? t.deck(languageName(sourceLanguage), languageName(targetLanguage))
      : t.wordList;
}

/** @returns names a deck in the language of the page */
export function useDeckName(): (deck: Deck) => string {
  const { t, languageName } = useI18n();
  return ({ sourceLanguage, targetLanguage, difficulty, pos }) =>
    [
      t.deck(languageName(sourceLanguage), languageName(targetLanguage)),
      difficulty,
      t.partsOfSpeech[pos],
    ].join(' · ');
}

/** @returns names what one has learned of: a deck by what it is, a list as it is called */
export function useLearnedName(): (words: WordsProgress) => string {
  const deckName = useDeckName();
  return (words) => ('listId' in words ? words.name : deckName(words));
}
