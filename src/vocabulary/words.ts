// Which words a request wants: those of a deck, or those of somebody's own list. Single-player games
// and lobbies ask in the same way. [contract 3, 4, 14]
import { z } from 'zod';
import { ListId } from './lists/schema.ts';
import {
  type Deck,
  DifficultyLevel,
  deckShape,
  differentLanguages,
  SupportedLanguageCode,
  SupportedPos,
} from './schema.ts';

/** A deck, or a list by its id. */
export type Words = Deck | { listId: string };

/** What a request says of them: all of a deck that it doesn't name is the default's. */
export type WordsGiven = { [Field in keyof Deck]?: Deck[Field] | undefined } & {
  listId?: string | undefined;
};

const DEFAULT_DECK: Deck = {
  sourceLanguage: 'en',
  targetLanguage: 'it',
  pos: 'noun',
  difficulty: 'A1',
};

const DECK_FIELDS = Object.keys(deckShape) as (keyof Deck)[];

const OwnList = ListId.meta({
  description: 'A list of your own, or a shared one: instead of a deck, never beside one.',
});

/**
 * The fields in which a request names its words, each of them optional. Add `.check(deckOrList)`,
 * `.check(twoLanguages)` and `.transform(chosenWords)`, by which the defaults fill the rest.
 */
export const wordsFields = {
  pos: SupportedPos.optional().meta({ default: DEFAULT_DECK.pos }),
  sourceLanguage: SupportedLanguageCode.optional().meta({ default: DEFAULT_DECK.sourceLanguage }),
  targetLanguage: SupportedLanguageCode.optional().meta({ default: DEFAULT_DECK.targetLanguage }),
  difficulty: DifficultyLevel.optional().meta({ default: DEFAULT_DECK.difficulty }),
  listId: OwnList.optional(),
};

/** The same where nothing fills the rest: in what is shown, and in changes. */
export const plainWordsFields = {
  ...z.object(deckShape).partial().shape,
  listId: OwnList.optional(),
};

/** Zod's `.check`: words are a deck's or a list's. */
export function deckOrList({ value, issues }: z.core.ParsePayload<WordsGiven>): void {
  if (value.listId === undefined || !namesDeck(value)) return;
  const message = `stands instead of ${DECK_FIELDS.join(', ')}`;
  issues.push({ code: 'custom', path: ['listId'], message, input: value });
}

/** Zod's `.check`: the languages of a deck differ, the defaults too. */
export function twoLanguages({ value, issues }: z.core.ParsePayload<WordsGiven>): void {
  const words = wordsOf(value);
  if ('listId' in words) return;
  differentLanguages({ value: words, issues });
}

/** Zod's `.transform`: @returns the words alone that are asked for, with all else that is given */
export function chosenWords<Given extends WordsGiven>(
  given: Given,
): Omit<Given, keyof WordsGiven> & Words {
  const { listId, pos, sourceLanguage, targetLanguage, difficulty, ...rest } = given;
  return { ...rest, ...wordsOf(given) };
}

/** @returns what holds after a change: of a deck and a list, the one that is given drops the other */
export function changedWords<Held extends WordsGiven>(
  held: Held,
  change: WordsGiven,
): Omit<Held, keyof WordsGiven> & Words {
  const merged = { ...held, ...change };
  return chosenWords(namesDeck(change) ? { ...merged, listId: undefined } : merged);
}

function namesDeck(given: WordsGiven): boolean {
  return DECK_FIELDS.some((field) => given[field] !== undefined);
}

/** @returns the words of a request or of settings */
export function wordsOf({ listId, ...given }: WordsGiven): Words {
  if (listId !== undefined) return { listId };
  return {
    sourceLanguage: given.sourceLanguage ?? DEFAULT_DECK.sourceLanguage,
    targetLanguage: given.targetLanguage ?? DEFAULT_DECK.targetLanguage,
    pos: given.pos ?? DEFAULT_DECK.pos,
    difficulty: given.difficulty ?? DEFAULT_DECK.difficulty,
  };
}
