// Reads Wiktextract, the dictionaries of Wiktionary as JSON Lines: each line is an entry with its
// translations into many languages. https://github.com/tatuylonen/wiktextract, https://kaikki.org
import { z } from 'zod';
import { type DeckDefaults, languageOf, posOf, requireLevel } from './dictionary.ts';
import type { Reading } from './term-record.ts';

/** The source of all terms from Wiktextract. Wiktionary's licence demands that it is named. */
export const WIKTIONARY = { name: 'Wiktionary', licence: 'CC-BY-SA-4.0' };

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

/**
 * @param defaults select terms instead of filling their fields, since the file has all languages
 * @returns a function that returns the terms of a line's value, or the reason why it has none
 */
export function wiktextractReader(defaults: DeckDefaults): (value: unknown) => Reading[] {
  const difficulty = requireLevel(defaults);
  const isWanted = (field: 'sourceLanguage' | 'targetLanguage' | 'pos', value: string) =>
    defaults[field] === undefined || defaults[field] === value;

  return (value) => {
    const parsed = WiktextractEntry.safeParse(value);
    // A page that leads to another has a line too, and the file's first lines may be such ones.
    if (!parsed.success) return [{ skipped: 'no entry of a word' }];
    const { word, pos: written, lang_code, translations = [], senses = [] } = parsed.data;
    const [sourceLanguage, pos] = [languageOf(lang_code), posOf(written)];
    if (!sourceLanguage || !isWanted('sourceLanguage', sourceLanguage)) return [{ skipped: 'another language' }];
    if (!pos || !isWanted('pos', pos)) return [{ skipped: 'another part of speech' }];
    const inSenses = senses.flatMap(({ glosses, translations: own = [] }) =>
      own.map((one) => ({ ...one, sense: one.sense ?? glosses?.[0] })),
    );
    const terms: Reading[] = [];
    for (const { code, lang_code: other, word: targetText, sense } of [...translations, ...inSenses]) {
      const targetLanguage = languageOf(code ?? other);
      const isOurs = targetLanguage && isWanted('targetLanguage', targetLanguage);
      if (!targetText || !isOurs || targetLanguage === sourceLanguage) continue;
      const deck = { sourceLanguage, targetLanguage, pos, difficulty };
      const sourceGloss = (sense?.length ?? 0) <= MAX_GLOSS_CHARACTERS ? sense : undefined;
      terms.push({ fields: { ...deck, sourceText: word, targetText, sourceGloss } });
    }
    return terms.length > 0 ? terms : [{ skipped: 'no translation' }];
  };
}
