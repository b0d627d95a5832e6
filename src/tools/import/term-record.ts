// A record of a file that is imported, as every format's reader yields it: its validation, and the term that it becomes.
import { z } from 'zod';
import { canonicalKeysOf } from '../../judging/verdict.ts';
import { wordId } from '../../learning/word-ids.ts';
import { toFieldErrors } from '../../validation.ts';
import { normalise, promptKey, type Term, wordsName } from '../../vocabulary/rules.ts';
import { type Deck, deckShape, differentLanguages, tidyText } from '../../vocabulary/schema.ts';

/** The fields of a term. A source may tell that another translation of the prompt is asked instead. */
interface TermFields {
  fields: unknown;
  isAlternative?: boolean;
}

/** What a reader makes of a line: fields, or why they can't be read, or why they aren't wanted. */
export type Reading = TermFields | { problem: string } | { skipped: string };

/** The same with its place. */
export type SourceRecord = { line: number; file?: string } & Reading;

const MAX_CHARACTERS = 200;
const MAX_FIELD_CHARACTERS = 40;

/** The character that TextDecoder puts in place of malformed UTF-8. */
const REPLACEMENT = '\uFFFD';

const text = tidyText(MAX_CHARACTERS).refine((value) => !value.includes(REPLACEMENT), { error: 'is not valid UTF-8' });

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';

const perhaps = (schema: z.ZodString) =>
  z.preprocess((value) => (isBlank(value) ? null : value), schema.nullish()).transform((value) => value ?? null);

/** The schema of a term in a file, with the fields of its deck. */
const termRecord = z
  .strictObject({
    ...deckShape,
    sourceText: text,
    targetText: text,
    sourceGloss: perhaps(text),
    field: perhaps(tidyText(MAX_FIELD_CHARACTERS)),
  })
  .check(differentLanguages);

/** The names of a record's fields in a header or a JSON object. */
export const TERM_FIELDS = Object.keys(termRecord.shape);
export const OPTIONAL_FIELDS = ['sourceGloss', 'field'];

/** @returns what is wrong, in one line */
export function problemsOf({ issues }: z.ZodError): string {
  const errors = toFieldErrors(issues).map(({ path, message }) => `${path} ${message}`.trim());
  return errors.join('; ');
}

export interface ImportedTerm extends Term {
  deck: Deck;
}

/** @returns the term that `fields` describe, or the problems with them in one line */
export function parseTerm({ fields, isAlternative }: TermFields): ImportedTerm | string {
  const parsed = termRecord.safeParse(fields);
  if (!parsed.success) return problemsOf(parsed.error);
  const { sourceText, targetText, sourceGloss, field, ...deck } = parsed.data;
  const keys = { sourceKey: normalise(sourceText), targetKey: normalise(targetText) };
  return { deck, sourceText, targetText, sourceGloss, field, isAlternative, ...keys };
}

/** @returns the keys by which a typed answer is recognised as this translation [contract 20] */
export function translationKeysOf({ targetText, deck }: ImportedTerm): number[] {
  return canonicalKeysOf(targetText, deck.targetLanguage);
}

/** @returns the id of the term's word in the memory of learners */
export function wordOf({ deck, ...term }: ImportedTerm): string {
  return wordId(wordsName(deck), promptKey(term));
}
