// The schemas of requests and responses about users' lists. [contract 14]
import { z } from 'zod';
import { BUDGETS } from '../../budgets.ts';
import { listOf, text, whole } from '../../fields.ts';
import { Id } from '../../validation.ts';
import { differentLanguages, tidyText } from '../schema.ts';
import { ISO_639_1_CODES, LIST_TERMS, MAX_LENGTHS, withoutRepetitions } from './rules.ts';

const mebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`;

export const LISTS_ROOM = `${mebibytes(BUDGETS.listsOfAccount.max)} (a guest’s ${mebibytes(BUDGETS.listsOfGuest.max)})`;

/** The language of a list; a deck's is one of the supported ones. */
export const LanguageCode = z
  .string()
  .refine((code) => code.length === 2 && ISO_639_1_CODES.has(code), {
    error: 'must be an ISO 639-1 code in lower case',
  })
  .meta({
    id: 'LanguageCode',
    description: 'Any language, by its ISO 639-1 code.',
    pattern: '^[a-z]{2}$',
    examples: ['de'],
  });

export const ListTerm = z
  .strictObject({
    sourceText: tidyText(MAX_LENGTHS.sourceText).describe('The word in the source language.'),
    targetText: tidyText(MAX_LENGTHS.targetText).describe('Its translation.'),
    sourceGloss: tidyText(MAX_LENGTHS.sourceGloss).optional().describe('The meaning of the word.'),
  })
  .meta({ id: 'ListTerm', description: 'A prompt with a translation, and perhaps a gloss.' });
export type ListTerm = z.output<typeof ListTerm>;

const terms = z.array(ListTerm).min(LIST_TERMS.min).max(LIST_TERMS.max).overwrite(withoutRepetitions);

/** Refuses a list with too many items before its items are validated. */
const boundedTerms = z.preprocess((value: z.input<typeof terms>, ctx) => {
  if (!Array.isArray(value) || value.length <= LIST_TERMS.max) return value;
  const { max: maximum } = LIST_TERMS;
  ctx.issues.push({ code: 'too_big', origin: 'array', maximum, inclusive: true, input: value });
  return z.NEVER;
}, terms);

export const ListRequest = z
  .strictObject({
    name: tidyText(MAX_LENGTHS.name).describe('The name of the list.'),
    sourceLanguage: LanguageCode,
    targetLanguage: LanguageCode,
    shared: z.boolean().default(false).describe('Whether every signed-in user may read and play the list.'),
    terms: boundedTerms.describe('The words.'),
  })
  .check(differentLanguages)
  .meta({
    id: 'ListRequest',
    description: 'A whole list. The two languages must differ. A repeated term is stored once.',
    examples: [
      {
        name: 'At the station',
        sourceLanguage: 'de',
        targetLanguage: 'fi',
        shared: true,
        terms: [
          { sourceText: 'der Zug', targetText: 'juna' },
          { sourceText: 'der Bahnsteig', targetText: 'laituri' },
          { sourceText: 'die Karte', targetText: 'lippu', sourceGloss: 'die Fahrkarte' },
          { sourceText: 'die Karte', targetText: 'kartta', sourceGloss: 'die Landkarte' },
        ],
      },
    ],
  });
export type ListRequest = z.output<typeof ListRequest>;

export const ListParams = z.object({ listId: Id.describe('The id of the list.') });
export type ListParams = z.output<typeof ListParams>;

export const WordList = z
  .object({
    listId: z.guid().describe('The id of the list.'),
    name: text('The name of the list.', 'At the station'),
    sourceLanguage: text('The language of the prompts.', 'de'),
    targetLanguage: text('The language of the answers.', 'fi'),
    shared: z.boolean().describe('Whether every signed-in user may read it.'),
    termCount: whole('The number of words.', 5),
    updatedAt: z.iso.datetime().describe('The time of the last change.'),
  })
  .meta({ id: 'WordList', description: 'A user’s list, without its words.' });
export type WordList = z.output<typeof WordList>;

export const WordListWithTerms = WordList.extend({
  terms: listOf('The words.', {
    sourceText: text('The word in the source language.', 'der Zug'),
    targetText: text('Its translation.', 'juna'),
    sourceGloss: z.string().optional().describe('Absent when the term has none.'),
  }),
}).meta({ id: 'WordListWithTerms', description: 'A user’s list with its words.' });
export type WordListWithTerms = z.output<typeof WordListWithTerms>;

export const WordLists = z
  .object({ lists: z.array(WordList).describe('The lists, the last changed first.') })
  .meta({ id: 'WordLists', description: 'The lists that you own.' });
export type WordLists = z.output<typeof WordLists>;
