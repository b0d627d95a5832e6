// The pair of files that dictionary servers read, as Debian's dict-freedict-* packages bring them: an
// index of where each entry lies, and the entries as people read them. See dictfmt(1), dictzip(1).
import { createWriteStream, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  directionOf,
  type Entry,
  type FoundSource,
  type Given,
  licenceOf,
  termsOf,
} from './dictionary.ts';
import type { ReadLine } from './formats.ts';
import { ImportError } from './import-error.ts';
import { type ReadProgress, readBytes, readLines } from './lines.ts';

/** More than any entry has; what says it is longer is no index. */
const MAX_ENTRY_BYTES = 1024 * 1024;

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** @returns whether a file is one of such a pair */
export function isDictd(file: string): boolean {
  return /\.(index|dict|dict\.dz)$/.test(file);
}

/**
 * @param file either of the two
 * @param progress of the index
 * @param found gets what the dictionary says of itself
 * @returns the terms, by the numbers of the index's lines
 * @throws ImportError when the other file is missing, or they are no such pair
 */
export async function* readDictd(
  file: string,
  progress: ReadProgress,
  given: Given,
  found: FoundSource,
): AsyncGenerator<ReadLine> {
  const base = file.replace(/\.(index|dict|dict\.dz)$/, '');
  const folder = mkdtempSync(join(tmpdir(), 'dictd-'));
  try {
    // Unpacked beside, since the index goes through it in the order of the alphabet.
    const entries = join(folder, 'entries');
    const packed = await entriesOf(base);
    await pipeline(
      await readBytes(packed, { bytesRead: 0, bytesTotal: 0 }),
      createWriteStream(entries),
    );
    const read = reader(entries);
    let line = 0;
    for await (const text of readLines(`${base}.index`, progress)) {
      line += 1;
      const [word = '', offset, size] = text.split('\t');
      const [from, length] = [numberOf(offset), numberOf(size)];
      if (from === undefined || length === undefined || length > MAX_ENTRY_BYTES) {
        yield { line, problem: 'is not a line of a dictd index' };
        continue;
      }
      const told = word.replaceAll('-', '');
      if (told === '00databaseshort') found.name ??= titleOf(read(from, length));
      else if (told === '00databaseinfo') found.licence ??= licenceIn(read(from, length));
      else if (!told.startsWith('00database')) {
        const direction = directionOf(basename(base));
        yield* termsOf(entryOf(line, read(from, length)), { ...direction, ...given });
      }
    }
  } finally {
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

function reader(file: string): (from: number, length: number) => string {
  const descriptor = openSync(file, 'r');
  const buffer = Buffer.alloc(MAX_ENTRY_BYTES);
  return (from, length) =>
    buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, length, from));
}

/** @returns a number as the index writes it, in digits of base 64 */
function numberOf(written: string | undefined): number | undefined {
  if (!written || !/^[A-Za-z0-9+/]{1,9}$/.test(written)) return undefined;
  return [...written].reduce((number, digit) => number * 64 + DIGITS.indexOf(digit), 0);
}

/** The headline repeats the index's name. */
function titleOf(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.find((line) => line !== '' && !line.startsWith('00-')) ?? 'FreeDict';
}

function licenceIn(text: string): string {
  const [, stanza = text] =
    /(?:Availability|Copyright)\s*:?\s*\n([\s\S]{0,2000})/i.exec(text) ?? [];
  return licenceOf(stanza) ?? 'unknown';
}

/** A line of translations begins at the margin; notes, examples and references are set in. */
const IS_ASIDE = /^(\s{2,}|\s*(see|Synonyms?|Antonyms?|Note)\s*:)/i;
const NUMBER = /^\s*\d+\.\s*/;
/** `/haʊs/`; between words that one may choose from, a slash has spaces or none. */
const SOUND = /(^|\s)\/(?!\s)[^/]*\//g;

/** @param text the headword's line, with its sound and grammar, and lines of translations */
function entryOf(line: number, text: string): Entry {
  const [headline = '', ...rest] = text.split('\n');
  const headword = wordsIn(headline);
  const grammar = tagIn(headline);
  const senses = rest
    .filter((row) => row.trim() !== '' && !IS_ASIDE.test(row))
    .flatMap((row) => translationsIn(row.replace(NUMBER, '')));
  return { line, headwords: [headword], pos: grammar, senses };
}

/** Without sound and grammar. */
const wordsIn = (text: string) => text.replace(SOUND, '').replace(/<.*$/, '');

/** `A <neut>, Ais <neut> [mus.]`: a tag stands for those before it that have none; an abbreviation may follow it. */
function translationsIn(row: string): Entry['senses'] {
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
