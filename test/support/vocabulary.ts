// Imports the vocabulary of tests: the built-in lists, or a test's own terms.
import { BUILT_IN, readBuiltIn } from '../../src/tools/import/built-in.ts';
import { type ImportResult, importTerms } from '../../src/tools/import/import-terms.ts';
import type { SourceRecord } from '../../src/tools/import/term-record.ts';

export interface TestTerm {
  sourceLanguage: string;
  targetLanguage: string;
  pos: string;
  difficulty: string;
  sourceText: string;
  targetText: string;
  sourceGloss?: string | undefined;
  field?: string;
}

/** The deck of requests that name none. */
export const A1_NOUNS = { sourceLanguage: 'en', targetLanguage: 'it', pos: 'noun', difficulty: 'A1' } as const;

/** Imports the built-in terms from English to Italian, with all levels, in less than a second. */
export const loadTestVocabulary = (databaseUrl: string): Promise<ImportResult> =>
  importTerms(fromEnglishToItalian(), { databaseUrl, source: BUILT_IN });

async function* fromEnglishToItalian(): AsyncGenerator<SourceRecord> {
  for await (const line of readBuiltIn()) {
    const { sourceLanguage, targetLanguage } = ('fields' in line ? line.fields : {}) as Partial<TestTerm>;
    if (sourceLanguage === 'en' && targetLanguage === 'it') yield line;
  }
}

/** Imports a test's own terms. @param deck has the fields that a term lacks */
export async function importTestTerms(
  databaseUrl: string,
  terms: Iterable<Partial<TestTerm>>,
  deck: Partial<TestTerm> = A1_NOUNS,
): Promise<ImportResult> {
  return importTerms(linesOf(terms, deck), { databaseUrl, source: { name: 'test', licence: 'none' } });
}

async function* linesOf(terms: Iterable<Partial<TestTerm>>, deck: Partial<TestTerm>): AsyncGenerator<SourceRecord> {
  let line = 0;
  for (const term of terms) {
    line += 1;
    yield { line, fields: { ...deck, ...term } };
  }
}
