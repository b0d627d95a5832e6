// The settings of a waiting lobby in a host's hands. What is shown is what was chosen, until the service
// says what holds.
import { useEffect, useState } from 'preact/hooks';
import type { Lobby } from '../lobby/schema.ts';
import type { Deck } from '../vocabulary/schema.ts';
import { chooseDeck, deckOf } from './deck-choice.ts';
import { useI18n } from './i18n/index.tsx';
import { type Choices, notYet, ROUNDS } from './lobby-choices.ts';
import { useDecks } from './use-decks.ts';
import type { LobbyGame } from './use-lobby.ts';
import { useOwnLists } from './use-own-lists.ts';
import { useProgress } from './use-progress.ts';

export type Change = Partial<Choices>;

/** @returns what is chosen, and what changes it for all */
export function useChoices(
  { host, refusal }: LobbyGame,
  lobby: Lobby,
): [choices: Choices, set: (change: Change) => void] {
  const [wanted, setWanted] = useState<Change>({});
  useEffect(() => setWanted((before) => notYet(before, lobby)), [lobby]);
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

/** What there is to choose words from. @returns it, and how many questions the chosen ones give */
export function useWords(settings: Choices, set: (change: Change) => void) {
  const { t } = useI18n();
  const { decks, choices: usual } = useDecks();
  const { lists: own = [] } = useOwnLists(useProgress());
  const { listId, rounds } = settings;
  const choices = listId ? (usual ?? null) : decks && chooseDeck(decks, settings as Deck);
  const chosen = own.find((list) => list.listId === listId);
  // Somebody else's, which is shared with the host.
  const foreign = listId && !chosen ? { listId, name: t.wordList } : undefined;
  // Never more rounds than there are questions.
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
