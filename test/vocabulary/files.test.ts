// The built-in lists follow the rules of prisma/vocabulary/README.md, and their digest changes with them and with the code
// that makes terms of their lines.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { foldAccents } from '../../src/text.ts';
import {
  type Concept,
  digestOf,
  listBuiltInFiles,
  listFiles,
  readConcepts,
  wordsOf,
} from '../../src/tools/import/built-in.ts';
import { buildQuestions, normalise } from '../../src/vocabulary/rules.ts';
import { DIFFICULTIES, LANGUAGES, PARTS_OF_SPEECH } from '../../src/vocabulary/schema.ts';
import { enLearning } from '../../src/web/i18n/en/learning.ts';
import { readBuiltInDecks } from '../support/terms.ts';

const FOLDER = new URL('../../prisma/vocabulary/', import.meta.url);
const HEADER = 'concept,field,en,en_gloss,it,it_gloss,es,es_gloss,fr,fr_gloss,de,de_gloss';
const CONCEPTS_AT_LEAST = { noun: 100, verb: 60, adjective: 60, adverb: 30 };
const QUESTIONS_AT_LEAST: Record<string, number> = { noun: 50, verb: 50, adjective: 50, adverb: 30 };
/** The fewest concepts of a field, so that all four options of a question can be of one field. */
const PER_FIELD = 4;
const NOUN_FIELDS_AT_LEAST = 12;

/** The letters beyond a to z that words of a language may have. */
const LETTERS = { en: 'é', it: 'àèéìòù', es: 'áéíóúüñ', fr: 'àâæçéèêëîïôœùûü', de: 'äöüßéê' };
/** The number of equal first letters that make two words look alike. */
const LIKE_LETTERS = 5;

const files = DIFFICULTIES.flatMap((level) =>
  PARTS_OF_SPEECH.map((pos) => ({ file: `${level.toLowerCase()}-${pos}.csv`, pos })),
);

const rows: (Concept | { problem: string })[] = [];
for await (const row of readConcepts()) rows.push(row);
const concepts = rows.filter((row): row is Concept => !('problem' in row));
const byFile = Map.groupBy(concepts, ({ file }) => file);

/** @returns the entries that occur more than once */
function repeated(entries: string[]): string[] {
  return [...Map.groupBy(entries, (entry) => entry)].filter(([, same]) => same.length > 1).map(([entry]) => entry);
}

/** @returns the words of a text as they are compared for likeness, without accents */
function partsOf(text: string): string[] {
  const folded = foldAccents(text).replaceAll('œ', 'oe').replaceAll('ß', 'ss');
  return folded.split(/[^\p{L}\p{N}]+/u);
}

/** Short words are alike by chance, so that they are not compared. */
const isTelling = (part: string) => part.length >= 4;

/** @returns whether one word begins with the other, or both begin with the same letters */
function areLike(one: string, other: string): boolean {
  const letters = Math.min(LIKE_LETTERS, Math.max(one.length, 4), Math.max(other.length, 4));
  return one.slice(0, letters) === other.slice(0, letters);
}

/** English adjectives such as "Italian" and German phrases such as "zum Glück" have capital letters. */
function isWellCased(word: string, language: string, pos: string): boolean {
  if (language === 'de') return pos !== 'noun' || /(^| )\p{Lu}[^ ]*$/u.test(word);
  return word === word.toLowerCase() || (language === 'en' && pos === 'adjective');
}

test('there is one list for each level and part of speech, and every line is valid', () => {
  const found = readdirSync(FOLDER).filter((name) => name.endsWith('.csv'));
  expect(found.toSorted()).toEqual(files.map(({ file }) => file).toSorted());
  expect(rows.filter((row) => 'problem' in row)).toEqual([]);
});

test('every field of a word is a topic that the page names', () => {
  const fields = new Set(concepts.map(({ cells }) => cells.field).filter(Boolean));
  expect([...fields].toSorted()).toEqual(Object.keys(enLearning.topics).toSorted());
});

describe.each(files)('$file', ({ file, pos }) => {
  const list = byFile.get(file) ?? [];

  test('has the documented header and enough concepts', () => {
    const [header] = readFileSync(new URL(file, FOLDER), 'utf8').split('\n');
    expect(header).toBe(HEADER);
    expect(list.length).toBeGreaterThanOrEqual(CONCEPTS_AT_LEAST[pos]);
  });

  test('has a word in all five languages and an English gloss for every concept', () => {
    const hasGap = (concept: Concept) => LANGUAGES.some((language) => wordsOf(concept, language).includes(''));
    expect(list.filter((concept) => !concept.cells.en_gloss || hasGap(concept))).toEqual([]);
  });

  test.each(LANGUAGES)('has no word twice in %s', (language) => {
    const words = list.flatMap((concept) => wordsOf(concept, language).map(normalise));
    expect(repeated(words)).toEqual([]);
  });

  test.each(LANGUAGES)('has words in %s without stray characters and in its case', (language) => {
    const letters = new RegExp(`^[a-z${LETTERS[language]}]+(?:['’ -]+[a-z${LETTERS[language]}]+)*'?$`, 'iu');
    const words = list.flatMap((concept) => wordsOf(concept, language));
    expect(words.filter((word) => !letters.test(word) || !isWellCased(word, language, pos))).toEqual([]);
  });

  test.each(LANGUAGES)('has glosses in %s without stray characters, or spaces around them', (language) => {
    const glosses = list.map(({ cells }) => cells[`${language}_gloss`] ?? '');
    const text = new RegExp(`^(?! )[a-z${LETTERS[language]}0-9 ,'?()-]*(?<! )$`, 'iu');
    expect(glosses.filter((gloss) => !text.test(gloss))).toEqual([]);
  });

  test('has English glosses of three to ten words', () => {
    const glosses = list.map(({ cells }) => cells.en_gloss ?? '');
    const words = (gloss: string) => gloss.split(' ').length;
    expect(glosses.filter((gloss) => words(gloss) < 3 || words(gloss) > 10)).toEqual([]);
  });

  test.each(LANGUAGES)('has no gloss in %s that contains the word itself', (language) => {
    const telling = list.filter((concept) => {
      const gloss = normalise(concept.cells[`${language}_gloss`] ?? '').split(/[^\p{L}\p{N}'’-]+/u);
      return wordsOf(concept, language).some((word) => gloss.includes(normalise(word)));
    });
    expect(telling.map(({ cells }) => cells.concept)).toEqual([]);
  });

  test.each(LANGUAGES)('has no gloss in %s with a word that looks like a translation', (language) => {
    const telling = list.flatMap((concept) => {
      const gloss = partsOf(concept.cells[`${language}_gloss`] ?? '').filter(isTelling);
      const words = LANGUAGES.flatMap((other) => wordsOf(concept, other).flatMap(partsOf));
      const like = gloss.filter((part) => words.filter(isTelling).some((w) => areLike(part, w)));
      return like.map((part) => `${concept.cells.concept}: ${part}`);
    });
    expect(telling).toEqual([]);
  });

  test('has a field for every noun, and enough concepts in each field', () => {
    const byField = Map.groupBy(list, ({ cells }) => cells.field ?? '');
    if (pos === 'noun') {
      expect(byField.get('')).toBeUndefined();
      expect(byField.size).toBeGreaterThanOrEqual(NOUN_FIELDS_AT_LEAST);
    }
    byField.delete('');
    expect(byField.size).toBeGreaterThan(0);
    const thin = [...byField].filter(([, same]) => same.length < PER_FIELD);
    expect(thin.map(([field, same]) => `${field}: ${same.length}`)).toEqual([]);
  });
});

test('a concept is in only one list', () => {
  expect(repeated(concepts.map(({ cells }) => cells.concept ?? ''))).toEqual([]);
  for (const { cells } of concepts) expect(cells.concept).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
});

test('an English word with the same part of speech is in only one level', () => {
  const words = [...byFile].flatMap(([file, list]) => {
    const ofList = list.flatMap((concept) => wordsOf(concept, 'en').map(normalise));
    return [...new Set(ofList)].map((word) => `${word} (${file.slice('a1-'.length)})`);
  });
  expect(repeated(words)).toEqual([]);
});

test('all terms of the lists can be imported, and all twenty directions have 50 different questions, 30 with adverbs, for every part of speech and level', async () => {
  const decks = await readBuiltInDecks();
  expect(decks.size).toBe(20 * files.length);
  for (const [deck, pool] of decks) {
    const random = (bound: number) => bound - 1;
    const count = QUESTIONS_AT_LEAST[deck.split(' ')[2] ?? ''] ?? 0;
    const questions = [...buildQuestions({ pool, count, random, newId: () => '' })];
    expect(questions, deck).toHaveLength(count);
  }
});

test.each<[what: string, changes: Record<string, string | undefined>, isOther: boolean]>([
  ['ignores documents and nested folders', { 'README.md': 'text', 'lists/a1-noun.csv': 'dog,cane\n' }, false],
  ['changes with a line', { 'a1-noun.csv': 'house,Casa\n' }, true],
  ['changes with the name of a list', { 'a1-noun.csv': undefined, 'a0-noun.csv': 'house,casa\n' }, true],
  ['changes with the code', { 'rules.ts': 'other code' }, true],
  ['changes with a new file of code', { 'text.js': '' }, true],
  ['changes with the border of two lists', { 'a1-noun.csv': 'house,casa\neat', 'a1-verb.csv': ',mangiare\n' }, true],
])('the digest %s', async (_what, changes, isOther) => {
  const files = { 'a1-noun.csv': 'house,casa\n', 'a1-verb.csv': 'eat,mangiare\n', 'rules.ts': 'code' };
  const [before, after] = await Promise.all([files, { ...files, ...changes }].map(digestWith));
  expect(before !== after).toBe(isOther);
});

async function digestWith(files: Record<string, string | undefined>): Promise<string> {
  const folder = mkdtempSync(join(inject('temporaryFolder'), 'digest-'));
  for (const [name, text] of Object.entries(files)) {
    if (text === undefined) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return digestOf(await listFiles([folder]));
}

test('the lists and the code that reads, normalises and writes their words are digested', async () => {
  const digested = (await listBuiltInFiles()).map((path) => path.replaceAll('\\', '/'));
  for (const name of [
    '/prisma/vocabulary/a1-noun.csv',
    '/package.json',
    '/src/text.ts',
    ...['rules', 'schema'].map((part) => `/src/vocabulary/${part}.ts`),
    ...['built-in', 'term-record', 'import-terms'].map((part) => `/src/tools/import/${part}.ts`),
  ])
    expect(digested.filter((path) => path.endsWith(name))).toHaveLength(1);
});
