// What a lobby's words are called: a deck by its languages, a list just that, since who is invited may
// not be able to read it.
import type { LobbySettings } from '../lobby/schema.ts';
import type { Deck } from '../vocabulary/schema.ts';
import { useI18n } from './i18n/index.tsx';

/** The languages of words, where whoever plays them knows them. */
export interface Direction {
  sourceLanguage?: Deck['sourceLanguage'] | undefined;
  targetLanguage?: Deck['targetLanguage'] | undefined;
}

/** @returns names the words of a lobby's settings in the language of the page */
export function useWordsName(): (settings: LobbySettings) => string {
  const { t, languageName } = useI18n();
  return ({ sourceLanguage, targetLanguage }) =>
    sourceLanguage && targetLanguage
      ? t.deck(languageName(sourceLanguage), languageName(targetLanguage))
      : t.wordList;
}
