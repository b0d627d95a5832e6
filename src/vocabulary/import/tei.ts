// FreeDict's own format: TEI, an XML of entries, read as it comes. https://freedict.org
import sax from 'sax';
import {
  directionOf,
  type Entry,
  type FoundSource,
  type Given,
  licenceOf,
  termsOf,
} from './dictionary.ts';
import type { ReadLine } from './formats.ts';

/** More than any entry says; one without end must not fill the memory. */
const MAX_CHARACTERS = 20_000;
const MAX_SENSES = 200;

/** Their text is wanted, by the name of the element. */
const TEXTS = new Set([
  ...['orth', 'quote', 'tr', 'pos', 'gen'],
  ...['title', 'availability', 'licence', 'p'],
]);

/** What grammar belongs to: the innermost that it stands in, before or behind its words. */
const SCOPES = new Set(['entry', 'sense', 'cit']);

interface Scope {
  /** How many translations were there before it. */
  from: number;
  grammar: string;
}

/**
 * @param chunks the file's text
 * @param found gets what the header says of the source
 * @returns the terms of a TEI dictionary, by the numbers of their lines
 */
export async function* readTei(
  chunks: AsyncIterable<string>,
  given: Given,
  found: FoundSource,
): AsyncGenerator<ReadLine> {
  const reader = createReader(found);
  for await (const chunk of chunks) {
    reader.write(chunk);
    for (const item of reader.take()) {
      if ('problem' in item) yield item;
      else yield* termsOf(item, { ...directionOf(found.name ?? ''), ...given });
    }
  }
}

type Item = Entry | { line: number; problem: string };

/** Collects entries while the parser goes on. */
function createReader(found: FoundSource) {
  const parser = sax.parser(true, { position: true });
  const path: string[] = [];
  let items: Item[] = [];
  /** Of the citations that are open: translations, examples, and translations of these. */
  const citations: string[] = [];
  let entry: Entry | undefined;
  /** Those of the entry that are open. */
  let scopes: Scope[] = [];
  let text = '';
  let licence = '';

  parser.onerror = ({ message }) => {
    const [reason = ''] = message.split('\n');
    items.push({ line: parser.line + 1, problem: `is not well-formed XML: ${reason}` });
    // The parser goes on only when it is told that all is well.
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

  function closeInEntry(name: string, words: string, open: Entry): void {
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

  function closeScope({ senses }: Entry): void {
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
    /** @returns the entries that are complete */
    take(): Item[] {
      const taken = items;
      items = [];
      return taken;
    },
  };
}
