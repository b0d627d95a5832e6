// Reads the pair of files of a dictionary server, as in Debian's dict-freedict-* packages: the entries as
// formatted text, and an index of their offsets. See dictfmt(1), dictzip(1).
import { closeSync, createWriteStream, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  type DeckDefaults,
  type DictionaryEntry,
  directionOf,
  type FoundSource,
  licenceOf,
  termsOf,
} from './dictionary.ts';
import { ImportError } from './import-error.ts';
import { type ReadProgress, readBytes, readLines } from './lines.ts';
import type { ReadRecord } from './source-record.ts';

/** The bytes that an entry may have. An index with a longer entry is malformed. */
const MAX_ENTRY_BYTES = 1024 * 1024;

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** @returns whether the name of a file is that of such a file */
export function isDictd(file: string): boolean {
  return /\.(index|dict|dict\.dz)$/.test(file);
}

/**
 * @param file either of the two files
 * @param progress is updated while the index is read
 * @param found gets the name and licence of the dictionary
 * @returns the terms, with the line numbers of the index
 * @throws ImportError when the other file is missing
 */
export async function* readDictd(
  file: string,
  progress: ReadProgress,
  defaults: DeckDefaults,
  found: FoundSource,
): AsyncGenerator<ReadRecord> {
  const base = file.replace(/\.(index|dict|dict\.dz)$/, '');
  const folder = mkdtempSync(join(tmpdir(), 'dictd-'));
  let descriptor: number | undefined;
  try {
    // The index is in alphabetical order, so that entries are read at any offset, which gzip can't do.
    const entries = join(folder, 'entries');
    const packed = await entriesOf(base);
    await pipeline(await readBytes(packed, { bytesRead: 0, bytesTotal: 0 }), createWriteStream(entries));
    descriptor = openSync(entries, 'r');
    const read = reader(descriptor);
    let line = 0;
    for await (const text of readLines(`${base}.index`, progress)) {
      line += 1;
      const [word = '', offset, size] = text.split('\t');
      const [from, length] = [numberOf(offset), numberOf(size)];
      if (from === undefined || length === undefined || length > MAX_ENTRY_BYTES) {
        yield { line, problem: 'is not a line of a dictd index' };
        continue;
      }
      const name = word.replaceAll('-', '');
      if (name === '00databaseshort') found.name ??= titleOf(read(from, length));
      else if (name === '00databaseinfo') found.licence ??= licenceIn(read(from, length));
      else if (!name.startsWith('00database')) {
        const direction = directionOf(basename(base));
        yield* termsOf(entryOf(line, read(from, length)), { ...direction, ...defaults });
      }
    }
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function entriesOf(base: string): Promise<string> {
  for (const file of [`${base}.dict.dz`, `${base}.dict`])
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    )
      return file;
  throw new ImportError(`Beside ${base}.index there must be ${base}.dict.dz or ${base}.dict.`);
}

function reader(descriptor: number): (from: number, length: number) => string {
  const buffer = Buffer.alloc(MAX_ENTRY_BYTES);
  return (from, length) => buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, length, from));
}

/** @returns a number of the index, which is written in base 64 */
function numberOf(written: string | undefined): number | undefined {
  if (!written || !/^[A-Za-z0-9+/]{1,9}$/.test(written)) return undefined;
  return [...written].reduce((number, digit) => number * 64 + DIGITS.indexOf(digit), 0);
}

/** @returns the title of the dictionary: the first line after the headword, which begins with `00-` */
function titleOf(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.find((line) => line !== '' && !line.startsWith('00-')) ?? 'FreeDict';
}

function licenceIn(text: string): string {
  const [, stanza = text] = /(?:Availability|Copyright)\s*:?\s*\n([\s\S]{0,2000})/i.exec(text) ?? [];
  return licenceOf(stanza) ?? 'unknown';
}

/** Matches a line that isn't one of translations: an indented example or note, or a reference. */
const IS_ASIDE = /^(\s{2,}|\s*(see|Synonyms?|Antonyms?|Note)\s*:)/i;
const NUMBER = /^\s*\d+\.\s*/;
/** Matches a pronunciation such as `/haʊs/`, but not the slash between alternatives such as `he/she`. */
const SOUND = /(^|\s)\/(?!\s)[^/]*\//g;

/** @param text a line of headword, pronunciation and grammar, then lines of translations */
function entryOf(line: number, text: string): DictionaryEntry {
  const [headline = '', ...rest] = text.split('\n');
  const headword = wordsIn(headline);
  const grammar = tagIn(headline);
  const senses = rest
    .filter((row) => row.trim() !== '' && !IS_ASIDE.test(row))
    .flatMap((row) => translationsIn(row.replace(NUMBER, '')));
  return { line, headwords: [headword], pos: grammar, senses };
}

/** @returns the text without pronunciation and grammar */
const wordsIn = (text: string) => text.replace(SOUND, '').replace(/<.*$/, '');

/**
 * Parses a line such as `A <neut>, Ais <neut> [mus.]`. A tag also applies to the translations before it that
 * have none.
 */
function translationsIn(row: string): DictionaryEntry['senses'] {
  const parts = row.split(/[,;](?![^([<{]*[)\]>}])/);
  let pos: string | undefined;
  return parts
    .toReversed()
    .map((translation) => {
      pos = tagIn(translation) ?? pos;
      return { translation: wordsIn(translation), pos };
    })
    .filter(({ translation }) => translation.trim() !== '')
    .toReversed();
}

function tagIn(text: string): string | undefined {
  return /<([^>]*)>/.exec(text)?.[1];
}
