// A list as CSV for spreadsheets, and as the text that Anki imports. Pure.
import Papa from 'papaparse';
import type { WordListWithTerms } from '../../client/types.ts';
import { guardCell } from '../../text.ts';

type Terms = WordListWithTerms['terms'];

/** @returns a line for each word, with its translation and its note, in UTF-8 with a byte order mark */
export function csvOf(terms: Terms): string {
  const rows = terms.map(({ sourceText, targetText, sourceGloss = '' }) =>
    [sourceText, targetText, sourceGloss].map(guardCell),
  );
  return `\uFEFF${Papa.unparse(rows, { newline: '\r\n' })}\r\n`;
}

/** @returns a card for each word, whose note is in brackets behind the word: Anki's basic cards have two fields */
export function ankiOf(terms: Terms): string {
  const cards = terms.map(({ sourceText, targetText, sourceGloss }) => [
    sourceGloss ? `${sourceText} (${sourceGloss})` : sourceText,
    targetText,
  ]);
  // A line that begins with # would be a comment without quotation marks.
  const text = Papa.unparse(cards, { delimiter: '\t', newline: '\n', quotes: true });
  return `#separator:tab\n#html:false\n${text}\n`;
}
