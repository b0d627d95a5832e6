// The settings of a waiting lobby, for its host. A changed setting is shown at once, before the service
// confirms it.
import { useEffect, useState } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import type { Deck } from '../../vocabulary/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { useProgress } from '../progress/use-progress.ts';
import { chooseDeck, deckOf } from '../words/deck-choice.ts';
import { useDecks, useOwnLists } from '../words/offered-words.ts';
import { type Choices, ROUNDS, unconfirmedChoices } from './lobby-choices.ts';
import type { LobbyGame } from './use-lobby.ts';

/** The languages of a change are those of a deck. */
type Languages = Pick<Deck, 'sourceLanguage' | 'targetLanguage'>;
export type Change = Partial<Omit<Choices, keyof Languages> & Languages>;

/** @returns the settings with the unconfirmed changes, and a function that sends a change */
export function useLobbyChoices(
  { host, refusal }: LobbyGame,
  lobby: Lobby,
): [choices: Choices, set: (change: Change) => void] {
  const [wanted, setWanted] = useState<Partial<Choices>>({});
  useEffect(() => setWanted((before) => unconfirmedChoices(before, lobby)), [lobby]);
  useEffect(() => {
    if (refusal) setWanted({});
  }, [refusal]);
  const { settings, capacity } = lobby;
  return [
    { ...settings, capacity, ...wanted },
    ({ capacity: places, ...change }) => {
      setWanted((before) => ({ ...before, ...change, ...(places && { capacity: places }) }));
      host.configure({ settings: change, ...(places && { capacity: places }) });
    },
  ];
}

/** @returns the props of WordsPicker, and `most`, the number of questions that the chosen words have */
export function useLobbyWords(settings: Choices, set: (change: Change) => void) {
  const { t } = useI18n();
  const { decks, choices: usual } = useDecks();
  const { lists: own = [] } = useOwnLists(useProgress());
  const { listId, rounds } = settings;
  const choices = listId ? (usual ?? null) : decks && chooseDeck(decks, settings as Deck);
  const chosen = own.find((list) => list.listId === listId);
  // The list may belong to another user who shares it with the host.
  const foreign = listId && !chosen ? { listId, name: t.wordList } : undefined;
  // A game can't have more rounds than there are questions.
  const atMost = (questions: number) => ({ rounds: Math.min(rounds, questions) });
  const chooseWords = (wanted: Deck) => {
    const deck = decks && chooseDeck(decks, wanted)?.deck;
    if (deck) set({ listId: undefined, ...deckOf(deck), ...atMost(deck.questions) });
  };
  return {
    choices,
    lists: foreign ? [...own, foreign] : own,
    chosen: chosen ?? foreign,
    most: (listId ? chosen : choices?.deck)?.questions ?? ROUNDS.max,
    onDeck: chooseWords,
    onList(id: string | null) {
      const list = own.find((one) => one.listId === id);
      if (list) set({ listId: list.listId, ...atMost(list.questions) });
      else if (!id && usual) chooseWords(usual.deck);
    },
  };
}
