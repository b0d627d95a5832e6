// The built-in lists keep the rules of prisma/vocabulary/README.md.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type Concept,
  readBuiltIn,
  readConcepts,
  wordsOf,
} from '../../src/vocabulary/import/built-in.ts';
import { parseTerm } from '../../src/vocabulary/import/term-record.ts';
import { buildQuestions, normalise, preparePool, type Term } from '../../src/vocabulary/rules.ts';
import { LANGUAGES, PARTS_OF_SPEECH } from '../../src/vocabulary/schema.ts';

const FOLDER = new URL('../../prisma/vocabulary/', import.meta.url);
const HEADER = 'concept,en,en_gloss,it,it_gloss,es,es_gloss,fr,fr_gloss,de,de_gloss';
const CONCEPTS_AT_LEAST = { noun: 60, verb: 40, adjective: 40, adverb: 20 };

/** The levels that have built-in lists; words of the others are a person's own. */
const LEVELS = ['A1', 'A2'];

const files = LEVELS.flatMap((level) =>
  PARTS_OF_SPEECH.map((pos) => ({ file: `${level.toLowerCase()}-${pos}.csv`, pos })),
);

const concepts: Concept[] = [];
const unreadable: unknown[] = [];
for await (const row of readConcepts())
  if ('problem' in row) unreadable.push(row);
  else concepts.push(row);
const byFile = Map.groupBy(concepts, ({ file }) => file);

/** The entries that occur more than once. */
function repeated(entries: string[]): string[] {
  return [...Map.groupBy(entries, (entry) => entry)]
    .filter(([, same]) => same.length > 1)
    .map(([entry]) => entry);
}

function push(map: Map<string, Term[]>, key: string, term: Term): void {
  const terms = map.get(key);
  if (terms) terms.push(term);
  else map.set(key, [term]);
}

test('there is one list for A1 and A2 and each part of speech, and every line can be read', () => {
  const found = readdirSync(FOLDER).filter((name) => name.endsWith('.csv'));
  expect(found.toSorted()).toEqual(files.map(({ file }) => file).toSorted());
  expect(unreadable).toEqual([]);
});

describe.each(files)('$file', ({ file, pos }) => {
  const list = byFile.get(file) ?? [];

  test('has the documented header and enough concepts', () => {
    expect(readFileSync(new URL(file, FOLDER), 'utf8').split('\n')[0]).toBe(HEADER);
    expect(list.length).toBeGreaterThanOrEqual(CONCEPTS_AT_LEAST[pos]);
  });

  test('has a word in all five languages and an English gloss for every concept', () => {
    const lacking = list.filter(
      (concept) =>
        !concept.cells.en_gloss ||
        LANGUAGES.some((language) => wordsOf(concept, language).some((word) => word === '')),
    );
    expect(lacking).toEqual([]);
  });

  test.each(LANGUAGES)('has no word twice in %s', (language) => {
    const words = list.flatMap((concept) => wordsOf(concept, language).map(normalise));
    expect(repeated(words)).toEqual([]);
  });

  test('has cells without spaces around them', () => {
    const untidy = list
      .flatMap(({ cells }) => Object.values(cells).flatMap((cell) => cell.split('|')))
      .filter((text) => text !== text.trim() || text !== text.normalize('NFC'));
    expect(untidy).toEqual([]);
  });

  test.each(LANGUAGES)('has no gloss in %s that holds the word itself', (language) => {
    const telling = list.filter((concept) => {
      const gloss = normalise(concept.cells[`${language}_gloss`] ?? '').split(/[^\p{L}\p{N}'’-]+/u);
      return wordsOf(concept, language).some((word) => gloss.includes(normalise(word)));
    });
    expect(telling.map(({ cells }) => cells.concept)).toEqual([]);
  });
});

test('a concept is in one list only', () => {
  expect(repeated(concepts.map(({ cells }) => cells.concept ?? ''))).toEqual([]);
  for (const { cells } of concepts) expect(cells.concept).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
});

test('an English word with the same part of speech is in one level only', () => {
  const words = [...byFile].flatMap(([file, list]) => {
    const ofList = list.flatMap((concept) => wordsOf(concept, 'en').map(normalise));
    return [...new Set(ofList)].map((word) => `${word} (${file.slice('a1-'.length)})`);
  });
  expect(repeated(words)).toEqual([]);
});

test('every term of the lists can be imported, and all twenty directions can be played with 20 questions and more, for every part of speech and level', async () => {
  const bad: unknown[] = [];
  const decks = new Map<string, Term[]>();
  const directions = new Map<string, Term[]>();
  for await (const line of readBuiltIn()) {
    const term = 'fields' in line ? parseTerm(line.fields) : line.problem;
    if (typeof term === 'string') {
      bad.push({ ...line, term });
      continue;
    }
    const { sourceLanguage, targetLanguage, pos, difficulty } = term.deck;
    const direction = `${sourceLanguage} ${targetLanguage}`;
    push(directions, direction, term);
    push(decks, `${direction} ${pos} ${difficulty}`, term);
  }
  expect(bad).toEqual([]);
  expect(decks.size).toBe(20 * PARTS_OF_SPEECH.length * LEVELS.length);
  for (const [deck, terms] of decks) {
    const accepted = directions.get(deck.split(' ').slice(0, 2).join(' ')) ?? [];
    const pool = preparePool(terms, accepted);
    const random = (bound: number) => bound - 1;
    const questions = buildQuestions({ pool, count: 20, random, newId: () => '' });
    expect(questions, deck).toHaveLength(20);
  }
});
