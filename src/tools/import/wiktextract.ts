// Reads Wiktextract, the dictionaries of Wiktionary as JSON Lines: each line is an entry with its
// translations into many languages. https://github.com/tatuylonen/wiktextract, https://kaikki.org
import { z } from 'zod';
import { type DeckDefaults, type FoundSource, languageOf, posOf } from './dictionary.ts';
import type { ReadRecord } from './term-record.ts';

/** The source of all terms from Wiktextract. Wiktionary's licence demands that it is named. */
export const WIKTIONARY: FoundSource = { name: 'Wiktionary', licence: 'CC-BY-SA-4.0' };

const MAX_GLOSS_CHARACTERS = 200;

/** A field may be missing or null, or have another type; then its translation has no such field. */
const text = z.string().optional().catch(undefined);

/** Translations are a field of the entry, of its senses, or of both. */
const translations = z
  .array(z.looseObject({ code: text, lang_code: text, word: text, sense: text }).catch({}))
  .optional();

const WiktextractEntry = z.looseObject({
  word: z.string(),
  pos: z.string(),
  lang_code: z.string(),
  translations,
  senses: z.array(z.looseObject({ glosses: z.array(z.string()).optional(), translations })).optional(),
});

/** Stands for a page that leads to another; the file's first lines may be such ones. */
const Redirect = z.looseObject({ title: z.string(), redirect: z.string() });

/** @returns whether a line is one of Wiktextract */
export function isWiktextract(value: unknown): boolean {
  return z.union([WiktextractEntry, Redirect]).safeParse(value).success;
}

/** @returns the terms of one line, or the reason why it has none */
export function* termsOfWiktextract(line: number, value: unknown, defaults: DeckDefaults): Generator<ReadRecord> {
  const parsed = WiktextractEntry.safeParse(value);
  if (!parsed.success) {
    yield { line, skipped: 'no entry of a word' };
    return;
  }
  const { word, pos: written, lang_code, translations = [], senses = [] } = parsed.data;
  const [sourceLanguage, pos] = [languageOf(lang_code), posOf(written)];
  if (!sourceLanguage || !isWanted(sourceLanguage, defaults.sourceLanguage)) {
    yield { line, skipped: 'another language' };
    return;
  }
  if (!pos || !isWanted(pos, defaults.pos)) {
    yield { line, skipped: 'another part of speech' };
    return;
  }
  const inSenses = senses.flatMap(({ glosses, translations: own = [] }) =>
    own.map((one) => ({ ...one, sense: one.sense ?? glosses?.[0] })),
  );
  let isTranslated = false;
  for (const { code, lang_code: other, word: targetText, sense } of [...translations, ...inSenses]) {
    const targetLanguage = languageOf(code ?? other);
    const isOurs = targetLanguage && isWanted(targetLanguage, defaults.targetLanguage);
    if (!targetText || !isOurs || targetLanguage === sourceLanguage) continue;
    isTranslated = true;
    const deck = { sourceLanguage, targetLanguage, pos, difficulty: defaults.difficulty };
    const sourceGloss = (sense?.length ?? 0) <= MAX_GLOSS_CHARACTERS ? sense : undefined;
    yield { line, fields: { ...deck, sourceText: word, targetText, sourceGloss } };
  }
  if (!isTranslated) yield { line, skipped: 'no translation' };
}

/** The file has all languages, so that the command line's options select records instead of filling them. */
function isWanted(value: string, wanted: string | undefined): boolean {
  return wanted === undefined || value === wanted;
}
