// The built-in decks, and the one that the user has chosen.
import { useEffect, useState } from 'preact/hooks';
import type { Deck } from '../../vocabulary/schema.ts';
import { client } from '../api.ts';
import { type Locale, useI18n } from '../i18n/index.tsx';
import { retry } from '../ui/retry.ts';
import { load, save } from '../ui/storage.ts';
import { chooseDeck, type DeckChoices, type OfferedDeck } from './deck-choice.ts';

/** The decks are requested once for each load of the page, since requests are limited. */
let offered: OfferedDeck[] | null = null;

const KEY = 'deck';

export interface Decks {
  /** Null while the request runs. */
  decks: OfferedDeck[] | null;
  /** Undefined while the request runs; null if no deck has a question. */
  choices: DeckChoices | null | undefined;
  error: string | null;
  want(deck: Deck): void;
}

export function useDecks(): Decks {
  const { locale, explain } = useI18n();
  const [decks, setDecks] = useState(offered);
  const [error, setError] = useState<string | null>(null);
  const [wanted, setWanted] = useState(() => wantedDeck(locale));
  useEffect(() => {
    if (decks) return;
    const stopped = new AbortController();
    retry(client.getVocabulary, { onWaiting: () => {}, signal: stopped.signal }).then(
      (vocabulary) => {
        offered = vocabulary.decks;
        setDecks(offered);
      },
      (thrown: unknown) => setError(explain(thrown)),
    );
    return () => stopped.abort();
  }, [decks, explain]);
  return {
    decks,
    choices: decks ? chooseDeck(decks, wanted) : undefined,
    error,
    want(deck) {
      setWanted(deck);
      save('device', KEY, deck);
    },
  };
}

/** @returns the last choice, or at first one from the page's language, which is replaced if it has no decks */
export function wantedDeck(locale: Locale): Deck {
  const sourceLanguage = locale as Deck['sourceLanguage'];
  const targetLanguage = locale === 'en' ? 'it' : 'en';
  return load<Deck>('device', KEY) ?? { sourceLanguage, targetLanguage, difficulty: 'A1', pos: 'noun' };
}
