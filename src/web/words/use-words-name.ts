// Names decks and lists in the language of the page.
import type { LobbySettings } from '../../lobby/schema.ts';
import type { Deck } from '../../vocabulary/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import type { WordsProgress } from '../progress/due.ts';
import { useDirectionName } from './language-name.ts';

/** A deck, whose languages may have any type of text. */
type NamedDeck = Pick<Deck, 'pos' | 'difficulty'> & { sourceLanguage: string; targetLanguage: string };

/** @returns a function that names a deck */
export function useDeckName(): (deck: NamedDeck) => string {
  const { t } = useI18n();
  const directionName = useDirectionName();
  return ({ sourceLanguage, targetLanguage, difficulty, pos }) =>
    [directionName(sourceLanguage, targetLanguage), difficulty, t.partsOfSpeech[pos]].join(' · ');
}

/** @returns a function that names the words of a lobby or a game: a deck, or a list with its languages */
export function useWordsName(): (settings: LobbySettings) => string {
  const { t } = useI18n();
  const directionName = useDirectionName();
  const deckName = useDeckName();
  return ({ sourceLanguage, targetLanguage, pos, difficulty, listName = t.wordList }) => {
    if (!sourceLanguage || !targetLanguage) return listName;
    if (pos && difficulty) return deckName({ sourceLanguage, targetLanguage, pos, difficulty });
    return `${listName} · ${directionName(sourceLanguage, targetLanguage)}`;
  };
}

/** @returns a function that names the deck or list of a progress */
export function useLearnedName(): (words: WordsProgress) => string {
  const deckName = useDeckName();
  return (words) => ('listId' in words ? words.name : deckName(words));
}
