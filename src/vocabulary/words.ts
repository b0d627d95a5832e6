// The fields by which a quiz or a lobby names a deck or a list, with their defaults and checks. [contract 3, 4, 14]
import { z } from 'zod';
import { Id } from '../validation.ts';
import { LanguageCode, type WordList } from './lists/schema.ts';
import type { ListDirection } from './rules.ts';
import { type AskedDeck, type Deck, deckShape, differentLanguages, tidyText } from './schema.ts';

export type DeckOrList = AskedDeck | ListDirection;

/** The fields that name a deck, or a list by its id, which may be asked the other way round. [contract 26] */
type DeckOrListFields = z.output<z.ZodObject<typeof plainWordsFields>>;

/** The words of stored settings: a deck, or a list with its name and languages, which players may not be able to read. */
type StoredWords = z.output<z.ZodObject<typeof storedWordsFields>>;

export const DEFAULT_DECK: Deck = { sourceLanguage: 'en', targetLanguage: 'it', pos: 'noun', difficulty: 'A1' };

const DECK_FIELDS = Object.keys(deckShape) as (keyof Deck)[];

/** The longest name of a topic, in code points. */
const TOPIC_LENGTH = 40;
const topic = tidyText(TOPIC_LENGTH).describe('Only words of this topic of the deck are asked.').optional();

const listFields = {
  listId: Id.describe('The id of your own list or a shared one, which replaces the fields of a deck.').optional(),
  reverse: z
    .boolean()
    .describe('Whether the list is asked the other way round, without glosses. A deck has a deck for each direction.')
    .optional(),
};

/** The fields of a request, whose schema adds `.check(deckOrList)` and `.transform(chosenWords)` for the defaults. */
export const wordsFields = {
  pos: deckShape.pos.optional().meta({ default: DEFAULT_DECK.pos }),
  sourceLanguage: deckShape.sourceLanguage.optional().meta({ default: DEFAULT_DECK.sourceLanguage }),
  targetLanguage: deckShape.targetLanguage.optional().meta({ default: DEFAULT_DECK.targetLanguage }),
  difficulty: deckShape.difficulty.optional().meta({ default: DEFAULT_DECK.difficulty }),
  topic,
  ...listFields,
};

/** The same fields without defaults, for changes. */
export const plainWordsFields = { ...z.object(deckShape).partial().shape, topic, ...listFields };

/** The fields of stored settings. Those of a list have its name and languages too. [contract 22] */
export const storedWordsFields = {
  ...plainWordsFields,
  sourceLanguage: LanguageCode.optional().describe('That of the prompts.'),
  targetLanguage: LanguageCode.optional().describe('That of the answers.'),
  listName: z
    .string()
    .optional()
    .describe('The name that the list had when it was chosen or, from the start on, played.'),
};

/** What `deckOrList` checks, for the meta of a request. */
export const DECK_OR_LIST = {
  oneOf: [
    { properties: { listId: false } },
    {
      required: ['listId'],
      properties: { listId: true, ...Object.fromEntries([...DECK_FIELDS, 'topic'].map((one) => [one, false])) },
    },
  ],
};

export const ONLY_WITH_LIST = 'must only be true for a list';

/**
 * A zod check that refuses a list beside the fields of a deck, the reverse of anything but a list, and a deck whose two
 * languages are the same, after the defaults are applied.
 */
export function deckOrList(payload: z.core.ParsePayload<DeckOrListFields>): void {
  const { value, issues } = payload;
  const words = deckOrListOf(value);
  if ('listId' in words) deckOrListOfChange(payload);
  else if (value.reverse) issues.push({ code: 'custom', path: ['reverse'], message: ONLY_WITH_LIST, input: value });
  else differentLanguages({ value: words, issues });
}

/** Refuses a list beside the fields of a deck. The `reverse` of a change may be meant for the present list. */
export function deckOrListOfChange({ value, issues }: z.core.ParsePayload<WordsChange>): void {
  if (value.listId === undefined || !(namesDeck(value) || value.topic)) return;
  const message = `must not be combined with ${DECK_FIELDS.join(', ')}, topic`;
  issues.push({ code: 'custom', path: ['listId'], message, input: value });
}

type Others<Given> = Omit<Given, keyof DeckOrListFields>;

/** A zod transform that applies the deck's defaults. @returns the fields of list or deck, and the others */
export function chosenWords<Given extends DeckOrListFields>(given: Given): Others<Given> & DeckOrList {
  const { listId, reverse, pos, sourceLanguage, targetLanguage, difficulty, topic, ...rest } = given;
  return { ...rest, ...deckOrListOf(given) };
}

/** The fields of a change that are about words; the topic null stands for none. */
type WordsChange = Omit<DeckOrListFields, 'topic'> & { topic?: string | null | undefined };

const NO_WORDS: StoredWords = Object.fromEntries(Object.keys(storedWordsFields).map((field) => [field, undefined]));

/**
 * @returns the settings after a change. A list replaces the deck with its topic. A deck replaces the list with its name,
 *   languages and direction, and another deck the topic. Where the change has neither, the words stay
 */
export function changedWords(current: StoredWords, { topic: wanted, ...change }: WordsChange): StoredWords {
  const others = { ...current, ...NO_WORDS };
  const topic = wanted === undefined ? current.topic : (wanted ?? undefined);
  if (change.listId !== undefined) return { ...others, ...change, reverse: change.reverse ?? current.reverse };
  if (!namesDeck(change)) return { ...current, ...change, topic };
  const known = current.listId === undefined ? storedWordsOf(current) : {};
  const deck = deckOrListOf({ ...known, ...change, topic: undefined });
  const isSame = DECK_FIELDS.every((field) => current[field] === (deck as Deck)[field]);
  return { ...others, ...change, ...deck, topic: isSame ? topic : (wanted ?? undefined) };
}

function namesDeck(given: Partial<Record<keyof Deck, unknown>>): boolean {
  return DECK_FIELDS.some((field) => given[field] !== undefined);
}

/** @returns the deck, with the defaults for missing fields, or the list of a request or of settings */
function deckOrListOf({ listId, reverse, ...given }: DeckOrListFields): DeckOrList {
  if (listId !== undefined) return { listId, ...(reverse && { reverse }) };
  return {
    sourceLanguage: given.sourceLanguage ?? DEFAULT_DECK.sourceLanguage,
    targetLanguage: given.targetLanguage ?? DEFAULT_DECK.targetLanguage,
    pos: given.pos ?? DEFAULT_DECK.pos,
    difficulty: given.difficulty ?? DEFAULT_DECK.difficulty,
    ...(given.topic !== undefined && { topic: given.topic }),
  };
}

/** @returns the deck, or the list by its id, of stored settings */
export function storedWordsOf({ listId, reverse, ...deck }: StoredWords): DeckOrList {
  return listId === undefined ? { ...z.object(deckShape).parse(deck), topic: deck.topic } : { listId, reverse };
}

/** The fields of a started quiz whose list is asked the other way round. [contract 26] */
export const languagesOfReverse = {
  sourceLanguage: LanguageCode.optional().describe('That of the prompts; only of a list that is asked in reverse.'),
  targetLanguage: LanguageCode.optional().describe('That of the answers; only of a list that is asked in reverse.'),
};

export function languagesOf({ reverse, sourceLanguage, targetLanguage }: WordLanguages) {
  return reverse ? { sourceLanguage, targetLanguage } : {};
}

type WordLanguages = Pick<WordList, 'sourceLanguage' | 'targetLanguage'> & Pick<DeckOrListFields, 'reverse'>;

/** @returns the settings with the name and the languages that their list has now. [contract 22] */
export function withListName<Settings extends object>(
  settings: Settings,
  { name, sourceLanguage, targetLanguage }: WordLanguages & Pick<WordList, 'name'>,
): Settings & StoredWords {
  return { ...settings, listName: name, sourceLanguage, targetLanguage };
}
