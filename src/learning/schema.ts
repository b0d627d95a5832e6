// The schemas of the progress, the calendar, and the words of a deck or list with what a user knows of each. [contract 13, 22]
import { z } from 'zod';
import { listOf, text, whole } from '../fields.ts';
import { createPageCursor, pageLimit } from '../platform/page-cursor.ts';
import { Id } from '../validation.ts';
import { MAX_LENGTHS } from '../vocabulary/lists/rules.ts';
import { deckShape, tidyText } from '../vocabulary/schema.ts';
import { chosenWords, deckOrList, wordsFields } from '../vocabulary/words.ts';

/** The maximum length of a time zone's name, twice the longest of the IANA database. */
const TIME_ZONE_MAX = 64;

/** @returns whether the name is one of IANA, all of which the runtime knows; offsets like `+01:00` are not */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

export const ProgressQuery = z.strictObject({
  timeZone: z
    .string()
    .max(TIME_ZONE_MAX)
    .refine(isTimeZone, 'must be an IANA time zone, such as Europe/Rome')
    .default('UTC')
    .describe('The IANA name of the time zone in which days begin and end.'),
});

const counts = {
  questions: whole('The number of different questions.', 104),
  seen: whole('Words that you have answered.', 61),
  known: whole('Words with a stability of at least 21 days.', 20),
  due: whole('Words that are due now; suspended ones never are.', 12),
};

const reverse = z
  .literal(true)
  .optional()
  .describe('Only of a list that is asked the other way round, whose words are words of their own.');

const DeckProgress = z.object({ ...deckShape, ...counts });
const ListProgress = z.object({
  listId: z.guid().describe('The id of the list.'),
  name: text('The name of the list.', 'At the station'),
  reverse,
  ...counts,
});

export const Progress = z
  .object({
    dueNow: whole('The sum of all `due`.', 12),
    reviewedToday: whole('Answers that were judged today.', 30),
    streakDays: whole('Consecutive days with an answer up to today, or to yesterday while today has none.', 4),
    forecast: listOf('Seven days, from today on.', {
      date: z.iso.date().describe('In the time zone that was asked for.'),
      due: whole('Words that become due on it; today, overdue ones too.', 12),
    }),
    decks: z
      .array(z.union([DeckProgress, ListProgress]))
      .describe('The decks of which you have answered a word, the shared lists too, and your own lists.'),
  })
  .meta({ id: 'Progress', description: 'What you have learned.' });
export type Progress = z.output<typeof Progress>;

export const Calendar = z
  .object({
    days: listOf('Those with an answer, the earliest first.', {
      date: z.iso.date().describe('In the time zone that was asked for.'),
      answers: z.int().min(1).describe('Answers that were judged on it.'),
    }),
  })
  .meta({ id: 'Calendar', description: 'On which of the last 84 days you have learned, and how much.' });
export type Calendar = z.output<typeof Calendar>;

/** The states of a word in FSRS, by the number that is stored. */
export const WORD_STATES = ['new', 'learning', 'review', 'relearning'] as const;

const WordMemoryRecord = z
  .object({
    due: z.iso.datetime().describe('When the word is to be asked again.'),
    stability: z.number().describe('The days after which a right answer has a probability of 90 %.'),
    difficulty: z.number().describe('How hard the word is for you, from 1 to 10.'),
    state: z.enum(WORD_STATES).describe('The state by FSRS.'),
    step: z.int().describe('The number of the learning step.'),
    scheduledDays: z.int().describe('The days from the last answer to `due`.'),
    reps: z.int().describe('The number of answers.'),
    lapses: z.int().describe('How often a known word was forgotten.'),
    reviewedAt: z.iso.datetime().describe('The time of the last answer.'),
    suspended: z.boolean().describe('Whether you have suspended the word.'),
  })
  .describe('What the service knows of you and the word, by FSRS.');
export type WordMemoryRecord = z.output<typeof WordMemoryRecord>;

/** A word that a user has learned, as an export has it. [contract 22] */
export const LearnedWord = z.union([
  z.object({
    ...deckShape,
    prompt: text('The word to translate.', 'house'),
    gloss: z.string().optional().describe('The meaning that is asked for; absent where the word has only one.'),
    memory: WordMemoryRecord,
  }),
  z.object({
    listId: z.guid().describe('The list, for a word of a list.'),
    reverse,
    listName: z.string().optional().describe('Absent if you may not read the list any more.'),
    prompt: z.string().optional().describe('Absent if you may not read the list, or it has lost the word.'),
    gloss: z.string().optional().describe('The meaning that is asked for; absent where the word has only one.'),
    memory: WordMemoryRecord,
  }),
]);
export type LearnedWord = z.output<typeof LearnedWord>;

const KNOWLEDGE = ['new', 'learning', 'known'] as const;

export const WordPage = z
  .object({
    words: listOf('The words of the page.', {
      wordId: z.guid().describe('The id of the word.'),
      prompt: text('The word to translate.', 'house'),
      gloss: z.string().optional().describe('Absent when the word has none.'),
      reverse,
      accepted: z.array(text('A translation.', 'casa')).describe('The translations that the deck or list has of it.'),
      state: z
        .enum(KNOWLEDGE)
        .describe('`new` until your first answer counts, `known` from a stability of 21 days on.'),
      due: z.iso.datetime().nullable().describe('When it is to be asked again; null while it is new or suspended.'),
      suspended: z.boolean().describe('Whether you have suspended it.'),
    }),
    next: z
      .string()
      .nullable()
      .describe(
        'The value of `after` for the next page, and null on the last one. A page may have fewer words than `limit`, even none, and still a next one.',
      ),
  })
  .meta({ id: 'WordPage', description: 'Words of a deck or list, in the order of their prompts.' });
export type WordPage = z.output<typeof WordPage>;

/** The longest normalised prompt, in code points: folding may triple a text. */
const KEY_LENGTH = 3 * MAX_LENGTHS.sourceText;

/** The first word of the next page, by its normalised prompt and its id. */
export const wordCursor = createPageCursor(z.tuple([tidyText(KEY_LENGTH), z.guid()]), '`next` of a page');

export const WordsQuery = z
  .strictObject({
    ...wordsFields,
    reverse: z
      .enum(['true', 'false'])
      .transform((value) => value === 'true')
      .optional()
      .describe('Whether the words are those of the list that is asked the other way round.'),
    state: z
      .enum([...KNOWLEDGE, 'suspended'])
      .optional()
      .describe('Only the words with this `state`, or only those that you have suspended.'),
    search: tidyText(MAX_LENGTHS.sourceText).optional().describe('How the prompts begin, in upper or lower case.'),
    limit: pageLimit('words', { max: 100, byDefault: 50 }),
    after: wordCursor.schema.optional().describe('The `next` of the previous page, with the same other fields.'),
  })
  .check(deckOrList)
  .transform(chosenWords);
export type WordsQuery = z.output<typeof WordsQuery>;

export const WordParams = z.object({ wordId: Id.describe('The `wordId` of `GET /api/v1/words`.') });
