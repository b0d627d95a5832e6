// Recognises the heading of a spreadsheet, such as "Deutsch, Englisch" or "Word, Translation", which is no word to
// learn. Pure.
import { ISO_639_1_CODES } from '../../vocabulary/lists/languages.ts';

/** The languages in whose words a heading is recognised, besides the two of the list. */
const HEADING_LANGUAGES = ['en', 'de', 'es', 'fr', 'it'];

/** Headings of the first column, in lower case. */
const WORD_HEADINGS = new Set(
  [
    'word,words,term,terms,vocabulary,expression,phrase,front,question,prompt,source,original,foreign language',
    'wort,wörter,begriff,vokabel,vokabeln,ausdruck,vorderseite,frage,fremdsprache',
    'palabra,palabras,término,vocabulario,expresión,frase,anverso,pregunta',
    'mot,mots,terme,vocabulaire,recto',
    'parola,parole,vocabolo,termine,vocabolario,espressione,fronte,domanda',
  ].flatMap((line) => line.split(',')),
);

/** Headings of the second column, in lower case. */
const TRANSLATION_HEADINGS = new Set(
  [
    'translation,translations,meaning,definition,back,answer,target,native language',
    'übersetzung,übersetzungen,bedeutung,definition,rückseite,antwort,muttersprache',
    'traducción,traducciones,significado,definición,reverso,respuesta',
    'traduction,traductions,signification,définition,verso,réponse',
    'traduzione,traduzioni,significato,definizione,retro,risposta',
  ].flatMap((line) => line.split(',')),
);

/**
 * @param languages the codes of the list's languages
 * @returns whether the first row of a table is its heading, and not a word: each of its two cells names a language or
 * a column, and the next row's don't
 */
export function hasHeading(table: readonly string[][], languages: readonly string[]): boolean {
  const [first, second] = table;
  if (!first || !second) return false;
  const codes = languageCodes([...HEADING_LANGUAGES, ...languages]);
  const [source, target] = [roleOf(first[0], codes), roleOf(first[1], codes)];
  // A list of languages has the same language on both sides, such as "German, Deutsch".
  if (!source || !target || source === target) return false;
  return !(roleOf(second[0], codes) && roleOf(second[1], codes));
}

/** @returns the code of the language that a cell names, or the column that it heads */
function roleOf(cell = '', codes: ReadonlyMap<string, string>): string | undefined {
  const text = cell.trim().toLowerCase();
  if (WORD_HEADINGS.has(text)) return 'word';
  if (TRANSLATION_HEADINGS.has(text)) return 'translation';
  return codes.get(text);
}

/** @returns the codes of all languages by their names in some languages, in lower case */
function languageCodes(locales: readonly string[]): Map<string, string> {
  const codes = new Map<string, string>();
  for (const locale of locales) {
    const names = new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' });
    for (const code of ISO_639_1_CODES) {
      const name = names.of(code);
      if (name) codes.set(name.toLowerCase(), code);
    }
  }
  return codes;
}
