// What was played, as a result keeps it: a deck by what it is, a list as it was called then.
import type { LobbySettings } from '../../client/types.ts';
import { useI18n } from '../i18n/index.tsx';
import { useDeckName } from '../use-words-name.ts';

/** @returns names the words of a finished game */
export function useGameWords(): (settings: LobbySettings) => string {
  const { t } = useI18n();
  const deckName = useDeckName();
  return ({ sourceLanguage, targetLanguage, pos, difficulty, listName }) =>
    sourceLanguage && targetLanguage && pos && difficulty
      ? deckName({ sourceLanguage, targetLanguage, pos, difficulty })
      : (listName ?? t.wordList);
}
