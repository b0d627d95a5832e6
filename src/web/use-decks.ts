// What can be played, as the service offers it, and what this user wants of it.
import { useEffect, useState } from 'preact/hooks';
import type { Deck } from '../vocabulary/schema.ts';
import { client } from './api.ts';
import { chooseDeck, type DeckChoices, type OfferedDeck } from './deck-choice.ts';
import { type Locale, useI18n } from './i18n/index.tsx';
import { persist } from './persist.ts';
import { load, save } from './storage.ts';

/** Asked once a page: the limit of requests is for playing. */
let offered: OfferedDeck[] | null = null;

const KEY = 'deck';

export interface Decks {
  /** All that there are; null while they are asked for. */
  decks: OfferedDeck[] | null;
  /** Undefined while it is asked; null when there is nothing to play with. */
  choices: DeckChoices | null | undefined;
  error: string | null;
  want(deck: Deck): void;
}

export function useDecks(): Decks {
  const { locale, explain } = useI18n();
  const [decks, setDecks] = useState(offered);
  const [error, setError] = useState<string | null>(null);
  const [wanted, setWanted] = useState(() => load<Deck>('device', KEY) ?? firstDeck(locale));
  useEffect(() => {
    if (decks) return;
    const stopped = new AbortController();
    persist(client.getVocabulary, { onWaiting: () => {}, signal: stopped.signal }).then(
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

/** From one's own language into another. */
function firstDeck(locale: Locale): Deck {
  const targetLanguage = locale === 'en' ? 'it' : 'en';
  return { sourceLanguage: locale, targetLanguage, difficulty: 'A1', pos: 'noun' };
}
