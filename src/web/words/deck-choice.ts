// The choice of words. Each combination that a user can choose is a deck that exists. Pure.
import type { output } from 'zod';
import type { WordList } from '../../client/types.ts';
import type { AskedDeck, Deck, Vocabulary } from '../../vocabulary/schema.ts';

export type OfferedDeck = output<typeof Vocabulary>['decks'][number];

/** The languages of words. A player may not know those of another user's list. */
export interface Direction {
  sourceLanguage?: string | undefined;
  targetLanguage?: string | undefined;
}

/** The words for a quiz or a game. */
export interface ChosenWords {
  /** The fields that name them in a request. [contract 14, 26] */
  selection: AskedDeck | { listId: string; reverse?: boolean };
  direction: Direction;
  /** How many questions they have. */
  questions: number;
}

/** For each field, the values that exist together with the values chosen for the fields before it. */
export interface DeckChoices {
  sourceLanguage: Deck['sourceLanguage'][];
  targetLanguage: Deck['targetLanguage'][];
  difficulty: Deck['difficulty'][];
  pos: Deck['pos'][];
  /** The chosen deck, which exists and fits the user's wishes as far as possible. */
  deck: OfferedDeck;
  /** The chosen topic of the deck; undefined stands for all its words. */
  topic: string | undefined;
}

/**
 * @param wanted the user's wishes; a value for which there is no deck is replaced, the last fields first
 * @returns null if no deck has a question
 */
export function chooseDeck(decks: readonly OfferedDeck[], wanted: AskedDeck): DeckChoices | null {
  let left = decks.filter(({ questions }) => questions > 0);
  if (left.length === 0) return null;
  const pick = <F extends keyof Deck>(field: F): Deck[F][] => {
    const values = [...new Set(left.map((deck: Deck) => deck[field]))];
    const value = values.includes(wanted[field]) ? wanted[field] : values[0];
    left = left.filter((deck) => deck[field] === value);
    return values;
  };
  const choices = {
    sourceLanguage: pick('sourceLanguage'),
    targetLanguage: pick('targetLanguage'),
    difficulty: pick('difficulty'),
    pos: pick('pos'),
  };
  const deck = left[0] as OfferedDeck;
  return { ...choices, deck, topic: deck.topics.find(({ topic }) => topic === wanted.topic)?.topic };
}

export function swapDirection<Words extends Direction>(words: Words): Words {
  return { ...words, sourceLanguage: words.targetLanguage, targetLanguage: words.sourceLanguage };
}

export function wordsOfDeck({ deck, topic }: Pick<DeckChoices, 'deck' | 'topic'>): ChosenWords {
  const { sourceLanguage, targetLanguage } = deck;
  const { questions } = deck.topics.find((one) => one.topic === topic) ?? deck;
  return { selection: { ...deckOf(deck), topic }, direction: { sourceLanguage, targetLanguage }, questions };
}

/**
 * @param reverse whether the list is asked the other way round
 * @param questions the number of questions, if it is known; the default is the number of terms
 */
export function wordsOfList(
  list: Pick<WordList, 'listId' | 'termCount'> & Required<Direction>,
  reverse: boolean,
  questions = list.termCount,
): ChosenWords {
  const { listId, sourceLanguage, targetLanguage } = list;
  const direction = { sourceLanguage, targetLanguage };
  if (!reverse) return { selection: { listId }, direction, questions };
  return { selection: { listId, reverse }, direction: swapDirection(direction), questions };
}

/** @returns only the fields that name a deck in a request */
export function deckOf({ sourceLanguage, targetLanguage, pos, difficulty }: Deck): Deck {
  return { sourceLanguage, targetLanguage, pos, difficulty };
}

const COUNTS = [5, 10, 20, 30, 50];

/** @returns the numbers of questions to offer for words that have `questions`: some, and all of them or `max` */
export function questionCounts(questions: number, max: number): number[] {
  const most = Math.min(questions, max);
  return [...COUNTS.filter((count) => count < most), most];
}
