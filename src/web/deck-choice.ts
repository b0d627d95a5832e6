// What can be chosen, from what the service offers: every choice leads to a deck that exists. Pure.
import type { output } from 'zod';
import type { WordList } from '../client/types.ts';
import type { Deck, Vocabulary } from '../vocabulary/schema.ts';

export type OfferedDeck = output<typeof Vocabulary>['decks'][number];

/** The languages of words, where whoever plays them knows them. */
export interface Direction {
  sourceLanguage?: string | undefined;
  targetLanguage?: string | undefined;
}

/** Words to play with, as somebody has chosen them. */
export interface ChosenWords {
  /** What a game asks for them by. [contract 14] */
  asked: Deck | { listId: string };
  direction: Direction;
  /** How many questions they give. */
  questions: number;
}

/** What a picker shows: for each field the values that lead on from the ones before it. */
export interface DeckChoices {
  sourceLanguage: Deck['sourceLanguage'][];
  targetLanguage: Deck['targetLanguage'][];
  difficulty: Deck['difficulty'][];
  pos: Deck['pos'][];
  /** The deck that is chosen now: what was wanted as far as it exists. */
  deck: OfferedDeck;
}

/**
 * @param decks as offered
 * @param wanted what the user chose; a field that leads to no deck gives way, the last ones first
 * @returns null when nothing is offered
 */
export function chooseDeck(decks: readonly OfferedDeck[], wanted: Deck): DeckChoices | null {
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
  return { ...choices, deck: left[0] as OfferedDeck };
}

/** @returns the direction turned round, as far as there are words for it */
export function swapDirection(deck: Deck): Deck {
  return { ...deck, sourceLanguage: deck.targetLanguage, targetLanguage: deck.sourceLanguage };
}

export function wordsOfDeck(deck: OfferedDeck): ChosenWords {
  const { sourceLanguage, targetLanguage, questions } = deck;
  return { asked: deckOf(deck), direction: { sourceLanguage, targetLanguage }, questions };
}

/** @param questions how many it gives; as many as it has terms when nobody has counted them */
export function wordsOfList(
  list: Pick<WordList, 'listId' | 'termCount'> & Required<Direction>,
  questions = list.termCount,
): ChosenWords {
  const { listId, sourceLanguage, targetLanguage } = list;
  return { asked: { listId }, direction: { sourceLanguage, targetLanguage }, questions };
}

/** @returns what a game asks for it by, without what is told of it */
export function deckOf({ sourceLanguage, targetLanguage, pos, difficulty }: Deck): Deck {
  return { sourceLanguage, targetLanguage, pos, difficulty };
}

const COUNTS = [5, 10, 20, 30, 50];

/** @returns numbers of questions to choose from, of a deck that gives so many; at most `max` */
export function questionCounts(questions: number, max: number): number[] {
  const most = Math.min(questions, max);
  const counts = COUNTS.filter((count) => count <= most);
  return counts.length > 0 ? counts : [most];
}
