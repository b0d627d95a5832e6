// Wiktextract, the dictionaries of Wiktionary as JSON Lines: an entry a line, with its translations
// into many languages. https://github.com/tatuylonen/wiktextract, https://kaikki.org
import { z } from 'zod';
import { type FoundSource, type Given, languageOf, posOf } from './dictionary.ts';
import type { ReadLine } from './formats.ts';

/** What Wiktionary asks of whoever uses its text. */
export const WIKTIONARY: FoundSource = { name: 'Wiktionary', licence: 'CC-BY-SA-4.0' };

const MAX_GLOSS_CHARACTERS = 200;

/** In entries of one sense they stand beside it, in others in it. */
const translations = z
  .array(
    z.looseObject({
      code: z.string().optional(),
      lang_code: z.string().optional(),
      word: z.string().optional(),
      sense: z.string().optional(),
    }),
  )
  .optional();

const WiktextractEntry = z.looseObject({
  word: z.string(),
  pos: z.string(),
  lang_code: z.string(),
  translations,
  senses: z
    .array(z.looseObject({ glosses: z.array(z.string()).optional(), translations }))
    .optional(),
});

/** @returns whether a JSON object is such an entry */
export function isWiktextract(value: unknown): boolean {
  return WiktextractEntry.safeParse(value).success;
}

/** @returns the terms of one line, or why there are none */
export function* termsOfWiktextract(
  line: number,
  value: unknown,
  given: Given,
): Generator<ReadLine> {
  const parsed = WiktextractEntry.safeParse(value);
  if (!parsed.success) {
    yield { line, skipped: 'no entry of a word' };
    return;
  }
  const { word, pos: written, lang_code, translations = [], senses = [] } = parsed.data;
  const [sourceLanguage, pos] = [languageOf(lang_code), posOf(written)];
  if (!sourceLanguage || !isWanted(sourceLanguage, given.sourceLanguage)) {
    yield { line, skipped: 'another language' };
    return;
  }
  if (!pos || !isWanted(pos, given.pos)) {
    yield { line, skipped: 'another part of speech' };
    return;
  }
  const inSenses = senses.flatMap(({ glosses, translations: own = [] }) =>
    own.map((one) => ({ ...one, sense: one.sense ?? glosses?.[0] })),
  );
  let isTranslated = false;
  for (const { code, lang_code: other, word: targetText, sense } of [
    ...translations,
    ...inSenses,
  ]) {
    const targetLanguage = languageOf(code ?? other);
    const isOurs = targetLanguage && isWanted(targetLanguage, given.targetLanguage);
    if (!targetText || !isOurs || targetLanguage === sourceLanguage) continue;
    isTranslated = true;
    const deck = { sourceLanguage, targetLanguage, pos, difficulty: given.difficulty };
    const sourceGloss = (sense?.length ?? 0) <= MAX_GLOSS_CHARACTERS ? sense : undefined;
    yield { line, fields: { ...deck, sourceText: word, targetText, sourceGloss } };
  }
  if (!isTranslated) yield { line, skipped: 'no translation' };
}

/** Here the command line chooses, since the file has all languages. */
function isWanted(value: string, given: string | undefined): boolean {
  return given === undefined || value === given;
}
