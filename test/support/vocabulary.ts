// The vocabulary that tests play with: the built-in lists, or terms of the test's own.
import { BUILT_IN, readBuiltIn } from '../../src/vocabulary/import/built-in.ts';
import type { Line } from '../../src/vocabulary/import/formats.ts';
import { type ImportResult, importTerms } from '../../src/vocabulary/import/import-terms.ts';

/** A term as a line of an import says it. */
export interface TestTerm {
  sourceLanguage: string;
  targetLanguage: string;
  pos: string;
  difficulty: string;
  sourceText: string;
  targetText: string;
  sourceGloss?: string;
}

/**
 * Loads the built-in terms from English to Italian, all parts of speech and levels; under a second. With
 * `everything` those of all twenty directions; 91,000 terms, 4 seconds or so.
 */
export async function loadTestVocabulary(
  databaseUrl: string,
  { everything = false }: { everything?: boolean } = {},
): Promise<ImportResult> {
  return importTerms(everything ? readBuiltIn() : fromEnglishToItalian(), {
    databaseUrl,
    source: BUILT_IN,
  });
}

async function* fromEnglishToItalian(): AsyncGenerator<Line> {
  for await (const line of readBuiltIn()) {
    const { sourceLanguage, targetLanguage } = (
      'fields' in line ? line.fields : {}
    ) as Partial<TestTerm>;
    if (sourceLanguage === 'en' && targetLanguage === 'it') yield line;
  }
}

/** Imports a test's own terms; what is missing is a noun of A1 from English to Italian. */
export async function importTestTerms(
  databaseUrl: string,
  terms: Iterable<Partial<TestTerm>>,
): Promise<ImportResult> {
  return importTerms(linesOf(terms), { databaseUrl, source: { name: 'test', licence: 'none' } });
}

async function* linesOf(terms: Iterable<Partial<TestTerm>>): AsyncGenerator<Line> {
  const deck = { sourceLanguage: 'en', targetLanguage: 'it', pos: 'noun', difficulty: 'A1' };
  let line = 0;
  for (const term of terms) {
    line += 1;
    yield { line, fields: { ...deck, ...term } };
  }
}
