// The query of `GET /api/v1/words`, with its cursor, and the path of a word. [contract 13]
import { z } from 'zod';
import { createPageCursor } from '../../http/page-cursor.ts';
import { Id } from '../../validation.ts';
import { MAX_LENGTHS } from '../../vocabulary/lists/rules.ts';
import { tidyText } from '../../vocabulary/schema.ts';
import { chosenWords, deckOrList, twoLanguages, wordsFields } from '../../vocabulary/words.ts';
import { KNOWLEDGE } from './schema.ts';

/** The longest normalised prompt, in code points: folding may triple a text. */
const KEY_LENGTH = 3 * MAX_LENGTHS.sourceText;

/** The first word of the next page, by its normalised prompt and its id. */
export const wordCursor = createPageCursor(z.tuple([tidyText(KEY_LENGTH), z.guid()]), '`next` of a page');

export const WordsQuery = z
  .strictObject({
    ...wordsFields,
    state: z
      .enum([...KNOWLEDGE, 'suspended'])
      .optional()
      .describe('Only the words with this `state`, or only those that you have suspended.'),
    search: tidyText(MAX_LENGTHS.sourceText).optional().describe('How the prompts begin, in upper or lower case.'),
    limit: z.coerce.number().int().min(1).max(100).default(50).describe('The most words of the page.'),
    after: wordCursor.schema.optional().describe('The `next` of the previous page, with the same other fields.'),
  })
  .check(deckOrList)
  .check(twoLanguages)
  .transform(chosenWords);
export type WordsQuery = z.output<typeof WordsQuery>;

export const WordParams = z.object({ wordId: Id.describe('The `wordId` of `GET /api/v1/words`.') });
