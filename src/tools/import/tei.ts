// Reads FreeDict's own format, TEI: an XML document of entries, parsed as a stream. https://freedict.org
import sax from 'sax';
import {
  type DeckDefaults,
  type DictionaryEntry,
  directionOf,
  type FoundSource,
  licenceOf,
  termsOf,
} from './dictionary.ts';
import type { ReadRecord } from './term-record.ts';

/** Characters of an element's text, and translations of an entry, beyond which the rest is dropped. */
const MAX_CHARACTERS = 20_000;
const MAX_SENSES = 200;

/** The names of the elements whose text is read. */
const TEXTS = new Set(['orth', 'quote', 'tr', 'pos', 'gen', 'title', 'availability', 'licence', 'p']);

/** The elements that grammar applies to: the innermost one around it. */
const SCOPES = new Set(['entry', 'sense', 'cit']);

interface Scope {
  /** The number of the entry's translations before this element. */
  from: number;
  grammar: string;
}

/**
 * @param chunks the file's text
 * @param found gets the name and licence from the header
 */
export async function* readTei(
  chunks: AsyncIterable<string>,
  defaults: DeckDefaults,
  found: FoundSource,
): AsyncGenerator<ReadRecord> {
  const reader = createReader(found);
  for await (const chunk of chunks) {
    reader.write(chunk);
    for (const item of reader.take()) {
      if ('problem' in item) yield item;
      else yield* termsOf(item, { ...directionOf(found.name ?? ''), ...defaults });
    }
  }
}

type Item = DictionaryEntry | { line: number; problem: string };

/** Collects the entries that the parser has completed. */
function createReader(found: FoundSource) {
  const parser = sax.parser(true, { position: true });
  const path: string[] = [];
  let items: Item[] = [];
  /** The types of the open `cit` elements: translations, examples, and translations of examples. */
  const citations: string[] = [];
  let entry: DictionaryEntry | undefined;
  /** The open scopes of the entry, the innermost last. */
  let scopes: Scope[] = [];
  let text = '';
  let licence = '';

  parser.onerror = ({ message }) => {
    const [reason = ''] = message.split('\n');
    items.push({ line: parser.line + 1, problem: `is not well-formed XML: ${reason}` });
    // sax stops at an error until the error is cleared.
    (parser as { error: Error | null }).error = null;
    parser.resume();
  };
  parser.onopentag = ({ name, attributes }) => {
    path.push(name);
    if (TEXTS.has(name)) text = '';
    if (name === 'entry') {
      entry = { line: parser.line + 1, headwords: [], senses: [] };
      scopes = [];
    }
    if (SCOPES.has(name)) scopes.push({ from: entry?.senses.length ?? 0, grammar: '' });
    if (name === 'cit') citations.push(String(attributes.type));
    if (name === 'licence' && attributes.target) licence = String(attributes.target);
  };
  const add = (more: string) => {
    if (text.length < MAX_CHARACTERS) text += more;
  };
  parser.ontext = add;
  parser.oncdata = add;
  parser.onclosetag = (name) => {
    path.pop();
    const isExample = citations.includes('example');
    if (name === 'cit') citations.pop();
    const words = text.replace(/\s+/g, ' ').trim();
    if (entry) closeInEntry(name, isExample ? '' : words, entry);
    else closeInHeader(name, words);
  };

  function closeInEntry(name: string, words: string, open: DictionaryEntry): void {
    if (name === 'orth') open.headwords.push(words);
    else if (name === 'pos' || name === 'gen') addGrammar(words, scopes.at(-1));
    else if ((name === 'quote' || name === 'tr') && words && open.senses.length < MAX_SENSES)
      open.senses.push({ translation: words });
    else if (SCOPES.has(name)) closeScope(open);
    if (name === 'entry') {
      items.push(open);
      entry = undefined;
    }
    if (TEXTS.has(name)) text = '';
  }

  function addGrammar(words: string, scope: Scope | undefined): void {
    if (scope && scope.grammar.length < MAX_CHARACTERS) scope.grammar += ` ${words}`;
  }

  function closeScope({ senses }: DictionaryEntry): void {
    const { from, grammar } = scopes.pop() ?? { from: senses.length, grammar: '' };
    if (grammar.trim() === '') return;
    for (const sense of senses.slice(from)) sense.pos ??= grammar;
  }

  function closeInHeader(name: string, words: string): void {
    if (name === 'title') found.name ??= words;
    if (path.includes('availability') || name === 'availability') licence += ` ${words}`;
    const known = name === 'availability' && licenceOf(licence);
    if (known) found.licence ??= known;
    if (TEXTS.has(name)) text = '';
  }

  return {
    write: (chunk: string) => void parser.write(chunk),
    /** @returns the entries that were completed since the last call */
    take(): Item[] {
      const taken = items;
      items = [];
      return taken;
    },
  };
}
