// What one line of an import must say, and how it is stored.
import { z } from 'zod';
import { toFieldErrors } from '../../validation.ts';
import { normalise, type Term } from '../rules.ts';
import { type Deck, deckShape, differentLanguages } from '../schema.ts';

const MAX_CHARACTERS = 200;

const tidied = z.string().overwrite((text) => text.normalize('NFC').trim());

const text = tidied
  .refine((value) => value.length > 0, { error: 'must not be empty', abort: true })
  .check(checkText);

const gloss = tidied.check(checkText).transform((value) => (value === '' ? null : value));

/** A term as people write it: the fields of a deck, the texts, and perhaps a gloss. */
const termRecord = z
  .strictObject({
    ...deckShape,
    sourceText: text,
    targetText: text,
    sourceGloss: gloss.nullish().transform((value) => value ?? null),
  })
  .check(differentLanguages);

/** The names of a record's fields, as a file's header or its JSON objects spell them. */
export const TERM_FIELDS = Object.keys(termRecord.shape);
export const OPTIONAL_FIELDS = ['sourceGloss'];

/** A term to be stored, and the deck it belongs to. */
export interface ImportedTerm extends Term {
  deck: Deck;
}

function checkText(ctx: z.core.ParsePayload<string>): void {
  const problem = problemOf(ctx.value);
  if (problem) ctx.issues.push({ code: 'custom', message: problem, input: ctx.value });
}

function problemOf(value: string): string | undefined {
  // Only a text that is long in UTF-16 is worth counting by characters.
  if (value.length > MAX_CHARACTERS && [...value].length > MAX_CHARACTERS)
    return `must be at most ${MAX_CHARACTERS} characters long`;
  if (value.includes('\uFFFD') || !value.isWellFormed()) return 'is not valid UTF-8';
  if (/\p{Cc}/u.test(value)) return 'must not hold control characters';
  return undefined;
}

/** @returns the term that `fields` describe, or what is wrong with them in one line */
export function parseTerm(fields: unknown): ImportedTerm | string {
  const parsed = termRecord.safeParse(fields);
  if (!parsed.success) {
    const errors = toFieldErrors(parsed.error.issues);
    return errors.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
  }
  const { sourceText, targetText, sourceGloss, ...deck } = parsed.data;
  const keys = { sourceKey: normalise(sourceText), targetKey: normalise(targetText) };
  return { deck, sourceText, targetText, sourceGloss, ...keys };
}
