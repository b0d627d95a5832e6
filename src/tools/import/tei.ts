// Reads FreeDict's own format, TEI: an XML document of entries, parsed as a stream. https://freedict.org
import sax from 'sax';
import {
  type DeckDefaults,
  type DictionaryEntry,
  directionOf,
  type FoundSource,
  licenceOf,
  requireLevel,
  termsOf,
} from './dictionary.ts';
import type { LineReader } from './formats.ts';
import type { Reading } from './term-record.ts';

/** Characters of an element's text, and translations of an entry, beyond which the rest is dropped. */
const MAX_CHARACTERS = 20_000;
const MAX_SENSES = 200;

/** The elements that grammar applies to: the innermost one around it. */
const SCOPES = ['entry', 'sense', 'cit'];

/** An element that is not closed yet. */
interface OpenElement {
  name: string;
  /** Its text, with that of the elements in it which have no meaning of their own. */
  text: string;
  /** Whether it is an example, whose words are no translations. */
  isExample: boolean;
  /** The grammar that applies to the translations in it, and the number of the entry's translations before it. */
  grammar: string;
  from: number;
}

/** @param found gets the name and licence from the header */
export function teiReader(defaults: DeckDefaults, found: FoundSource): LineReader {
  const parser = sax.parser(true);
  const open: OpenElement[] = [];
  let entry: DictionaryEntry = { headwords: [], senses: [] };
  let readings: Reading[] = [];
  requireLevel(defaults);

  parser.onerror = ({ message }) => {
    readings.push({ problem: `is not well-formed XML: ${message.split('\n')[0]}` });
    // sax stops at an error until the error is cleared.
    (parser as { error: Error | null }).error = null;
    parser.resume();
  };
  parser.onopentag = ({ name, attributes: { type, target } }) => {
    if (name === 'entry') entry = { headwords: [], senses: [] };
    const text = name === 'licence' && target ? `${target} ` : '';
    open.push({ name, text, isExample: name === 'cit' && type === 'example', grammar: '', from: entry.senses.length });
  };
  const addText = (more: string) => {
    const inner = open.at(-1);
    if (inner && inner.text.length < MAX_CHARACTERS) inner.text += more;
  };
  parser.ontext = addText;
  parser.oncdata = addText;
  parser.onclosetag = () => {
    const closed = open.pop();
    // The words of an example, and of its translation, are dropped.
    if (closed && !closed.isExample && !open.some(({ isExample }) => isExample)) close(closed);
  };

  function close({ name, text, grammar, from }: OpenElement): void {
    const words = text.replace(/\s+/g, ' ').trim();
    if (name === 'title') found.name ??= words;
    else if (name === 'availability') found.licence ??= licenceOf(words);
    else if (name === 'orth') entry.headwords.push(words);
    else if (name === 'pos' || name === 'gen') addGrammar(words);
    else if (name === 'quote' || name === 'tr') addTranslation(words);
    else if (!SCOPES.includes(name)) addText(text);
    else if (grammar) for (const sense of entry.senses.slice(from)) sense.pos ??= grammar;
    if (name !== 'entry') return;
    const direction = { ...directionOf(found.name ?? ''), ...directionOf(found.file) };
    readings.push(...termsOf(entry, { ...direction, ...defaults }));
  }

  function addGrammar(words: string): void {
    const scope = open.findLast(({ name }) => SCOPES.includes(name));
    if (scope && words && scope.grammar.length < MAX_CHARACTERS) scope.grammar += ` ${words}`;
  }

  function addTranslation(translation: string): void {
    if (translation && entry.senses.length < MAX_SENSES) entry.senses.push({ translation });
  }

  return (text) => {
    readings = [];
    parser.write(`${text}\n`);
    return readings;
  };
}
