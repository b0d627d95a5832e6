// What the dictionaries that can be imported have in common: entries of a headword with translations,
// in directions, parts of speech and licences that each of them writes in its own way.
import type { Deck } from '../schema.ts';
import type { ReadLine } from './formats.ts';

/** What the command line says of terms, where their file doesn't. */
export type Given = { [Field in keyof Deck]?: string | undefined };

/** Where terms come from, as far as their file says. */
export interface FoundSource {
  name?: string;
  licence?: string;
}

/** A headword with its translations, as it stands in a dictionary. */
export interface Entry {
  line: number;
  headwords: string[];
  /** As the dictionary calls it. */
  pos?: string | undefined;
  senses: { translation: string; pos?: string | undefined }[];
}

const LANGUAGE_NAMES: Record<string, string> = {
  ...{ en: 'en', eng: 'en', english: 'en', it: 'it', ita: 'it', italian: 'it' },
  ...{ es: 'es', spa: 'es', spanish: 'es', fr: 'fr', fra: 'fr', fre: 'fr', french: 'fr' },
  ...{ de: 'de', deu: 'de', ger: 'de', german: 'de' },
};

/** @returns the code of a language that is named by a code or in English; undefined for all others */
export function languageOf(name: string | undefined): string | undefined {
  return LANGUAGE_NAMES[name?.toLowerCase().split('-')[0] ?? ''];
}

/**
 * @param name a file's, as `freedict-eng-ita.index`, or a title, as `English-Italian FreeDict Dictionary`
 * @returns the direction that it names
 */
export function directionOf(name: string): Pick<Given, 'sourceLanguage' | 'targetLanguage'> {
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

/** Only nouns have one, and their part of speech is often left out beside it. */
const GENDER = /^(masc|fem|neut|[mf]|nt|[mfn](pl|sg))$/;
/** Alone it stands at inflected forms. */
const NUMBER = /^(pl|sg|only)$/;

/**
 * @param written as `n`, `v, trans`, `masc, n, sg`, or `fem` alone
 * @returns the part of speech that a dictionary means, of several the first; undefined for those that are no deck's
 */
export function posOf(written: string | undefined): Deck['pos'] | undefined {
  const tags = written?.toLowerCase().match(/[^\s,;.]+/g) ?? [];
  const name = tags.find((tag) => !GENDER.test(tag) && !NUMBER.test(tag));
  if (name === undefined) return tags.some((tag) => GENDER.test(tag)) ? 'noun' : undefined;
  const poses = Object.keys(POS_NAMES) as Deck['pos'][];
  return poses.find((pos) => POS_NAMES[pos].test(name));
}

/** @returns a licence by its SPDX name where its text says which one it is, otherwise its beginning */
export function licenceOf(text: string): string | undefined {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (!plain) return undefined;
  const gpl = /General Public Licen[cs]e,? (?:version|ver\.?|v) ?(\d)(?:\.0)?(.{0,30}later)?/i.exec(
    plain,
  );
  if (gpl) return `GPL-${gpl[1]}.0-${gpl[2] ? 'or-later' : 'only'}`;
  const cc =
    /\bCC[- ]BY([- ]SA)?[- ](\d\.\d)|creativecommons\.org\/licenses\/by(-sa)?\/(\d\.\d)/i.exec(
      plain,
    );
  if (cc) return `CC-BY${cc[1] || cc[3] ? '-SA' : ''}-${cc[2] ?? cc[4]}`;
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain;
}

/** What belongs to a word in a dictionary and not on an option: labels, and what is in brackets. */
const APPARATUS = /\[[^\]]*\]|\([^)]*\)|<[^>]*>|\{[^}]*\}/g;

/** @returns the word alone */
function wordAlone(text: string): string {
  return text.replace(APPARATUS, ' ').replace(/\s+/g, ' ').trim();
}

/** @returns the terms of an entry, or why there are none */
export function* termsOf(
  { line, headwords, pos, senses }: Entry,
  given: Given,
): Generator<ReadLine> {
  const { difficulty } = given;
  for (const { translation, pos: own } of senses) {
    const written = own ?? pos;
    const known = written === undefined ? given.pos : posOf(written);
    if (!known) {
      const skipped =
        written === undefined ? 'no part of speech (--pos)' : 'another part of speech';
      yield { line, skipped };
      continue;
    }
    const { sourceLanguage, targetLanguage } = given;
    const deck = { sourceLanguage, targetLanguage, pos: known, difficulty };
    for (const headword of headwords) {
      const fields = {
        ...deck,
        sourceText: wordAlone(headword),
        targetText: wordAlone(translation),
      };
      if (fields.sourceText && fields.targetText) yield { line, fields };
    }
  }
}
