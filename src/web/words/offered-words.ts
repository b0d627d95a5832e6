// The words that are offered: the built-in decks and the user's own lists, with the ones that the user has chosen last.
import { useEffect, useState } from 'preact/hooks';
import type { Progress, WordList } from '../../client/types.ts';
import type { AskedDeck, Deck } from '../../vocabulary/schema.ts';
import { client } from '../api.ts';
import { type Locale, useI18n } from '../i18n/index.tsx';
import { retry } from '../ui/retry.ts';
import { load, save } from '../ui/storage.ts';
import { chooseDeck, type OfferedDeck } from './deck-choice.ts';

/** The decks are requested once for each load of the page, since requests are limited. */
let offered: OfferedDeck[] | null = null;

const DECK_KEY = 'deck';

/** @returns the decks, null while the request runs, and the choices, null if no deck has a question */
export function useDecks() {
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
    want(deck: AskedDeck) {
      setWanted(deck);
      save('device', DECK_KEY, deck);
    },
  };
}

/** @returns the last choice, or at first one from the page's language, which is replaced if it has no decks */
export function wantedDeck(locale: Locale): AskedDeck {
  const sourceLanguage = locale as Deck['sourceLanguage'];
  const targetLanguage = locale === 'en' ? 'it' : 'en';
  return load<AskedDeck>('device', DECK_KEY) ?? { sourceLanguage, targetLanguage, difficulty: 'A1', pos: 'noun' };
}

export interface OwnList extends WordList {
  questions: number;
}

const LIST_KEY = 'list';
const REVERSE_KEY = 'list-reverse';

/**
 * The user's own lists, undefined while the request runs, and the one that the user has chosen, undefined for built-in
 * words.
 * @param progress has the questions of each list; without any list nothing is requested
 */
export function useOwnLists(progress: Progress | null | undefined) {
  const counted = progress?.decks.filter((words) => 'listId' in words) ?? [];
  const [lists, setLists] = useState<WordList[] | undefined>(undefined);
  const [isReverse, setReverse] = useState(() => load<boolean>('device', REVERSE_KEY) ?? false);
  const [chosenId, setChosenId] = useState(() => load<string>('device', LIST_KEY));
  const hasLists = counted.length > 0;
  useEffect(() => {
    if (!hasLists) return;
    client.getLists().then(
      (found) => setLists(found.lists),
      () => setLists([]),
    );
  }, [hasLists]);
  const own = lists?.map((list) => {
    const ofList = counted.filter((one) => one.listId === list.listId);
    // The progress has the other direction where a word of it was answered.
    const { questions = list.termCount } =
      ofList.find(({ reverse = false }) => reverse === isReverse) ?? ofList[0] ?? {};
    return { ...list, questions };
  });
  return {
    lists: hasLists || progress === undefined ? own : [],
    chosen: own?.find(({ listId }) => listId === chosenId),
    choose(listId: string | null) {
      setChosenId(listId);
      save('device', LIST_KEY, listId);
    },
    isReverse,
    setReverse(chosen: boolean) {
      setReverse(chosen);
      save('device', REVERSE_KEY, chosen);
    },
  };
}
