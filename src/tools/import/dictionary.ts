// The common part of all dictionaries that can be imported: it makes terms of their entries, and recognises
// the languages, parts of speech and licences that each dictionary spells in its own way.
import { type Deck, LANGUAGES, PARTS_OF_SPEECH } from '../../vocabulary/schema.ts';
import { ImportError } from './connect.ts';
import type { Reading } from './term-record.ts';

/** The fields of a deck that the command line sets where the file leaves them out. */
export type DeckDefaults = { [Field in keyof Deck]?: string | undefined };

/** The source of the terms, as far as their file names it. */
export interface FoundSource {
  /** The file's name, without its folder. */
  file: string;
  name?: string;
  licence?: string | undefined;
}

/** A headword with its translations, as it stands in a dictionary. */
export interface DictionaryEntry {
  headwords: string[];
  /** The part of speech of each is in the dictionary's spelling. */
  senses: { translation: string; pos?: string }[];
}

/** @returns the level of all words of a dictionary @throws ImportError when the command line names none */
export function requireLevel({ difficulty }: DeckDefaults): string {
  if (difficulty) return difficulty;
  throw new ImportError('The file doesn’t name the level of its words: add --difficulty B1, for example.');
}

const LANGUAGE_NAMES: Record<Deck['sourceLanguage'], RegExp> = {
  en: /^(en|eng|english)$/,
  it: /^(it|ita|italian)$/,
  es: /^(es|spa|spanish)$/,
  fr: /^(fr|fra|fre|french)$/,
  de: /^(de|deu|ger|german)$/,
};

/** @returns the code of a language, from a code or its English name; undefined for unsupported languages */
export function languageOf(name: string | undefined): Deck['sourceLanguage'] | undefined {
  const [written = ''] = name?.toLowerCase().split('-') ?? [];
  return LANGUAGES.find((code) => LANGUAGE_NAMES[code].test(written));
}

/**
 * @param name a file name such as `freedict-eng-ita.tei`, or a title such as `English-Italian FreeDict Dictionary`
 * @returns the direction in the name; nothing where it has none
 */
export function directionOf(name: string): Pick<DeckDefaults, 'sourceLanguage' | 'targetLanguage'> {
  for (const [, from, to] of name.matchAll(/(?<=^|\W)(?=(\w+)\s?[-–]\s?(\w+))/g)) {
    const [sourceLanguage, targetLanguage] = [languageOf(from), languageOf(to)];
    if (sourceLanguage && targetLanguage) return { sourceLanguage, targetLanguage };
  }
  return {};
}

const POS_NAMES: Record<Deck['pos'], RegExp> = {
  noun: /^(n|nouns?|subst\w*|sostantivo|nom)$/,
  verb: /^(v|verb|verbo|verbe|v[tir]\w*)$/,
  adjective: /^(adj|a|adjective|adjektiv|adjectif|aggettivo)$/,
  adverb: /^(adv|adverb|adverbe|avverbio)$/,
};

/** Matches a gender. Only nouns have one, and dictionaries often omit `noun` beside it. */
const GENDER = /^(masc|fem|neut|[mf]|nt|[mfn](pl|sg))$/;
/** Matches a number, which says nothing about the part of speech. */
const NUMBER = /^(pl|sg|only)$/;

/**
 * @param written such as `n`, `v, trans`, `masc, n, sg` or `fem`
 * @returns the first part of speech that is named; undefined for those of which there are no decks
 */
export function posOf(written: string | undefined): Deck['pos'] | undefined {
  const tags = written?.toLowerCase().match(/[^\s,;.]+/g) ?? [];
  const name = tags.find((tag) => !GENDER.test(tag) && !NUMBER.test(tag));
  if (name === undefined) return tags.some((tag) => GENDER.test(tag)) ? 'noun' : undefined;
  return PARTS_OF_SPEECH.find((pos) => POS_NAMES[pos].test(name));
}

/** @returns the SPDX name of a licence where its text is recognised, otherwise the beginning of the text */
export function licenceOf(text: string): string | undefined {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (!plain) return undefined;
  const gpl = /General Public Licen[cs]e,? (?:version|ver\.?|v) ?(\d)(?:\.0)?(.{0,30}later)?/i.exec(plain);
  if (gpl) return `GPL-${gpl[1]}.0-${gpl[2] ? 'or-later' : 'only'}`;
  const cc = /\bCC[- ]BY([- ]SA)?[- ](\d\.\d)|creativecommons\.org\/licenses\/by(-sa)?\/(\d\.\d)/i.exec(plain);
  if (cc) return `CC-BY${cc[1] || cc[3] ? '-SA' : ''}-${cc[2] ?? cc[4]}`;
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain;
}

/** Matches labels and remarks in brackets, which don't belong on an option. */
const IN_BRACKETS = /\[[^\]]*\]|\([^)]*\)|<[^>]*>|\{[^}]*\}/g;

function withoutBrackets(text: string): string {
  return text.replace(IN_BRACKETS, ' ').replace(/\s+/g, ' ').trim();
}

/** @returns the terms of an entry, or the reason why it has none */
export function* termsOf(
  { headwords, senses }: DictionaryEntry,
  { pos: given, ...deck }: DeckDefaults,
): Generator<Reading> {
  for (const { translation, pos: written } of senses) {
    const pos = written === undefined ? given : posOf(written);
    if (!pos) {
      yield { skipped: written === undefined ? 'no part of speech (--pos)' : 'another part of speech' };
      continue;
    }
    for (const headword of headwords) {
      const [sourceText, targetText] = [withoutBrackets(headword), withoutBrackets(translation)];
      if (sourceText && targetText) yield { fields: { ...deck, pos, sourceText, targetText } };
    }
  }
}
