// Reads the built-in vocabulary. Each line is a concept in five languages, which becomes terms in all twenty
// directions. A digest of the lists and of the code tells whether a load would change anything.
// prisma/vocabulary/README.md describes the files.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LANGUAGES } from '../../vocabulary/schema.ts';
import { type CsvTable, readHeader } from './formats.ts';
import { readLines } from './open-file.ts';
import type { SourceRecord } from './term-record.ts';

const FOLDER = fileURLToPath(new URL('../../../prisma/vocabulary', import.meta.url));

/** The source of the built-in terms. */
export const BUILT_IN = { name: 'built-in', licence: 'CC0-1.0' };

const COLUMNS = ['concept', 'field', ...LANGUAGES.flatMap((language) => [language, `${language}_gloss`])];

/** A row of a list: a meaning, with its words and glosses by column. */
export interface Concept {
  /** The list's file name, such as a1-noun.csv. */
  file: string;
  line: number;
  cells: Record<string, string>;
}

/** @returns every concept of the lists, or the problem of its line */
export async function* readConcepts(): AsyncGenerator<Concept | (SourceRecord & { problem: string })> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.csv'));
  for (const file of files.sort()) {
    let line = 0;
    let table: CsvTable | undefined;
    for await (const text of readLines(join(FOLDER, file))) {
      line += 1;
      const row = table?.parse(text);
      if (!row) table = readHeader(text, COLUMNS);
      else if ('problem' in row) yield { file, line, problem: row.problem };
      else yield { file, line, cells: row.fields };
    }
  }
}

/** @returns the terms of the built-in lists: one for each direction and pair of synonyms */
export async function* readBuiltIn(): AsyncGenerator<SourceRecord> {
  for await (const concept of readConcepts()) {
    if ('problem' in concept) yield concept;
    else yield* termsOf(concept);
  }
}

/** @returns the words that a concept has in a language, the most usual one first */
export function wordsOf({ cells }: Concept, language: string): string[] {
  return (cells[language] ?? '').split('|');
}

function* termsOf(concept: Concept): Generator<SourceRecord> {
  const { file, line, cells } = concept;
  const { field } = cells;
  const [level = '', pos] = basename(file, '.csv').split('-');
  for (const sourceLanguage of LANGUAGES) {
    const sourceGloss = cells[`${sourceLanguage}_gloss`] ?? '';
    for (const targetLanguage of LANGUAGES) {
      if (sourceLanguage === targetLanguage) continue;
      const deck = { sourceLanguage, targetLanguage, pos, difficulty: level.toUpperCase() };
      for (const sourceText of wordsOf(concept, sourceLanguage))
        for (const [place, targetText] of wordsOf(concept, targetLanguage).entries())
          yield {
            file,
            line,
            fields: { ...deck, sourceText, targetText, sourceGloss, field },
            isAlternative: place > 0,
          };
    }
  }
}

// Identifies the terms that a load would store, without reading them.

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The lists, and the code that reads, normalises and writes their words. src itself has text.ts. */
const FOLDERS = ['../../../prisma/vocabulary', '../..', '../../judging', '../../vocabulary', '.'].map(pathOf);

export async function digestBuiltIn(): Promise<string> {
  return digestOf(await listBuiltInFiles());
}

/** @returns the paths of the lists, the code, and the versions of the libraries */
export async function listBuiltInFiles(): Promise<string[]> {
  return [...(await listFiles(FOLDERS)), pathOf('../../../package.json')];
}

/** @returns the paths of lists and code in the folders, sorted; subfolders are left out */
export async function listFiles(folders: string[]): Promise<string[]> {
  const files = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).sort().map((name) => join(folder, name))),
  );
  return files.flat().filter((file) => /\.(csv|[jt]s)$/.test(file));
}

/** @returns a digest of the files, and of the version of Unicode, since it decides how words are folded */
export async function digestOf(files: string[]): Promise<string> {
  const hash = createHash('sha256').update(process.versions.unicode ?? '');
  for (const file of files) {
    const content = await readFile(file);
    // The length separates a file's content from the next file's name.
    hash.update(`\n${basename(file)} ${content.length}\n`).update(content);
  }
  return hash.digest('base64url');
}
