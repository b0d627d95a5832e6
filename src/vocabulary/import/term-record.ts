// What one line of an import must say, and how it is stored.
import { z } from 'zod';
import { toFieldErrors } from '../../validation.ts';
import { normalise, type Term } from '../rules.ts';
import { type Deck, deckShape, differentLanguages } from '../schema.ts';
import { tidyText } from '../text.ts';

const MAX_CHARACTERS = 200;
const MAX_FIELD_CHARACTERS = 40;

/** What a decoder puts for bytes that are no UTF-8. */
const REPLACEMENT = '\uFFFD';

const text = tidyText(MAX_CHARACTERS).refine((value) => !value.includes(REPLACEMENT), {
  error: 'is not valid UTF-8',
});

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';

const perhaps = (schema: z.ZodString) =>
  z
    .preprocess((value) => (isBlank(value) ? null : value), schema.nullish())
    .transform((value) => value ?? null);

/** A term as people write it: the fields of a deck, the texts, perhaps a gloss and what it is about. */
const termRecord = z
  .strictObject({
    ...deckShape,
    sourceText: text,
    targetText: text,
    sourceGloss: perhaps(text),
    field: perhaps(tidyText(MAX_FIELD_CHARACTERS)),
  })
  .check(differentLanguages);

/** The names of a record's fields, as a file's header or its JSON objects spell them. */
export const TERM_FIELDS = Object.keys(termRecord.shape);
export const OPTIONAL_FIELDS = ['sourceGloss', 'field'];

/** A term to be stored, and the deck it belongs to. */
export interface ImportedTerm extends Term {
  deck: Deck;
}

/** @returns the term that `fields` describe, or what is wrong with them in one line */
export function parseTerm(fields: unknown): ImportedTerm | string {
  const parsed = termRecord.safeParse(fields);
  if (!parsed.success) {
    const errors = toFieldErrors(parsed.error.issues);
    return errors.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
  }
  const { sourceText, targetText, sourceGloss, field, ...deck } = parsed.data;
  const keys = { sourceKey: normalise(sourceText), targetKey: normalise(targetText) };
  return { deck, sourceText, targetText, sourceGloss, field, ...keys };
}
