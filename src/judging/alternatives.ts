// Reads a translation as people write it who give several in one text: `casa; dimora`, `el/la estudiante`,
// `Lehrer(in)`, `colo(u)r`. Pure. [contract 20]
import { innerOf, itemsOf, outsideBrackets } from './brackets.ts';
import { languageOf } from './languages.ts';

/** The most variants of one part, since a part with thirty brackets has a billion. Several may have the same form. */
const VARIANTS_MAX = 32;

/** Matches a text that may give several translations. Most texts don't, and are not read further. */
const SEVERAL = /[;；؛|｜\n\v\f\r\u0085\u2028\u2029,，،、､/／*＊([{（［｛【]/;
const BORDER = /^[;；؛|｜\n\v\f\r\u0085\u2028\u2029]$/;
const COMMA = /^[,，،、､]$/;
const isStroke = (item: string) => item === '/' || item === '／';
const STAR = /^[*＊]$/;
const SPACE = /^\s$/u;
const DIGIT = /^\p{Nd}$/u;
const LETTER = /^[\p{L}\p{M}]/u;
const NO_PART = /^\s*[\p{Dash}~～]/u;
const SENTENCE_END = /[.．!！?？…。｡؟۔।]["'“”„«»‘’\s]*$/;

/** Punctuation that isn't a part of the word at which it stands. */
const AROUND_WORD = /^(?![\p{Dash}'’ʼ´`*＊/／])[\p{P}\p{S}]$/u;

/** A letter of an alphabet. One of other scripts, such as 他, may be a word. */
const ALPHABETIC = /(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])\p{L}/gu;
const ONE_LETTER = new RegExp(`^${ALPHABETIC.source}\\p{M}*$`, 'u');
const UP_TO_FIVE_LETTERS = /^(?:\p{L}\p{M}*){1,5}$/u;
const LETTERS = /^[\p{L}\p{M}'’-]+$/u;
const AFTER_HYPHEN = /^\p{Dash}(\p{L}[\p{L}\p{M}]*)$/u;
const AFTER_STAR = /^(innen|in)(?![\p{L}\p{M}])/iu;
/** The length of the longest of these endings, and of what must not follow it, in code points. */
const AFTER_STAR_LENGTH = 6;
const LETTERS_BEFORE_ENDING = 3;

const VOWEL = '[aeiouáéíóúàèìòùâêôãõ]';
const VOWEL_ENDING = new RegExp(`^${VOWEL}s?$`, 'iu');
const LAST_VOWEL = new RegExp(`${VOWEL}$`, 'iu');
const LAST_VOWEL_AND_S = new RegExp(`${VOWEL}s?$`, 'iu');

/** @returns what the translation gives beside the whole, in the order of the text; several may have the same form */
export function* variantsOf(translation: string, language: string): Generator<string> {
  if (!SEVERAL.test(translation)) return;
  const items = itemsOf(translation);
  const isSentence = endsSentence(items, language);
  for (const part of split(items, isBorder)) {
    const isWhole = isSentence || endsSentence(part, language);
    const smaller = isWhole ? [part] : split(part, isCommaBetween);
    const counting = smaller.filter((one) => counts(one, language));
    if (smaller.length > 1 && counting.length > 0 && counts(part, language)) yield part.join('');
    for (const one of counting) yield* variantsOfPart(one, language);
  }
}

function isBorder(items: readonly string[], at: number): boolean {
  const item = items[at] as string;
  if (!isStroke(item)) return BORDER.test(item);
  return SPACE.test(items[at - 1] ?? '') || SPACE.test(items[at + 1] ?? '');
}

function isCommaBetween(items: readonly string[], at: number): boolean {
  const isInNumber = DIGIT.test(items[at - 1] ?? '') && DIGIT.test(items[at + 1] ?? '');
  return COMMA.test(items[at] as string) && !isInNumber;
}

function endsSentence(items: readonly string[], language: string): boolean {
  const text = outsideBrackets(items);
  const { questionMark } = languageOf(language);
  return SENTENCE_END.test(text) || (questionMark !== undefined && text.trimEnd().endsWith(questionMark));
}

/** @returns whether a part is a translation, and no ending or article of a dictionary's entry */
function counts(part: readonly string[], language: string): boolean {
  return !NO_PART.test(part.join('')) && !isLeadingWord(outsideBrackets(part), language);
}

function isLeadingWord(text: string, language: string): boolean {
  const word = text.trim().toLowerCase().replace('’', "'");
  return languageOf(language).leadingWords.has(word);
}

/** @returns the part itself, and then what each of its words may be, the rest of the part staying */
function* variantsOfPart(part: readonly string[], language: string): Generator<string> {
  yield part.join('');
  const words = split(part, (items, at) => SPACE.test(items[at] as string)).filter(({ length }) => length > 0);
  yield* combinations(words.flatMap((word) => [variantsOfWord(word, language), [' ']]));
}

function variantsOfWord(word: readonly string[], language: string): string[] {
  const text = word.join('');
  const isInner = (item: string) => !AROUND_WORD.test(item);
  const start = word.findIndex(isInner);
  if (start < 0 || !SEVERAL.test(text)) return [text];
  const end = word.length - [...word].reverse().findIndex(isInner);
  const variants = wordsOf(word.slice(start, end), language).flatMap((one) => combinations(piecesOf(one, language)));
  const [before, after] = [word.slice(0, start).join(''), word.slice(end).join('')];
  return variants.slice(0, VARIANTS_MAX).map((variant) => `${before}${variant}${after}`);
}

/** The items of a word, and the endings that stand behind it and a stroke. */
type Word = { items: string[]; endings: string[] };

function wordsOf(items: readonly string[], language: string): Word[] {
  const words: Word[] = [];
  let before = '';
  for (const segment of split(items, (all, at) => isStroke(all[at] as string))) {
    const after = segment.join('');
    const last = words.at(-1);
    const role = last ? roleBehindStroke(before, after, language) : 'word';
    if (role === 'ending') {
      last?.endings.push(AFTER_HYPHEN.exec(after)?.[1] ?? after);
      continue;
    }
    if (role === 'word') words.push({ items: segment, endings: [] });
    else last?.items.push('/', ...segment);
    before = after;
  }
  return words;
}

/** @returns what stands behind a stroke: another word, an ending, or, as in km/h, the rest of the same word */
function roleBehindStroke(before: string, after: string, language: string): 'word' | 'ending' | 'rest' {
  if (before === '' || after === '') return 'rest';
  if (isLeadingWord(before, language) && isLeadingWord(after, language)) return 'word';
  if (lettersIn(before) >= LETTERS_BEFORE_ENDING && isEnding(after, language)) return 'ending';
  if (/\p{Nd}$/u.test(before) && /^\p{Nd}/u.test(after)) return 'rest';
  return isUnit(before, after) || isUnit(after, before) ? 'rest' : 'word';
}

function isEnding(text: string, language: string): boolean {
  if (ONE_LETTER.test(text) || AFTER_HYPHEN.test(text)) return true;
  return languageOf(language).endings.has(text.toLowerCase()) || isVowelEnding(text, language);
}

function isVowelEnding(text: string, language: string): boolean {
  return languageOf(language).hasVowelEndings === true && VOWEL_ENDING.test(text);
}

/** @returns whether one side of a stroke is a single letter, and the other has at most two */
function isUnit(one: string, other: string): boolean {
  return lettersIn(one) === 1 && !/\p{N}/u.test(one) && lettersIn(other) <= 2;
}

const lettersIn = (text: string) => text.match(ALPHABETIC)?.length ?? 0;

function piecesOf({ items, endings }: Word, language: string): string[][] {
  const pieces: string[][] = [['']];
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as string;
    const inner = innerOf(item);
    const star = STAR.test(item) && isBehindLetter(items, at) ? endingBehind(items, at) : undefined;
    if (star !== undefined) {
      addEndings(pieces, [star], language);
      at += star.length;
    } else if (inner === undefined) addText(pieces, item);
    else addBracket(pieces, inner, items, at, language);
  }
  if (endings.length > 0) addEndings(pieces, endings, language);
  return pieces;
}

function isBehindLetter(items: readonly string[], at: number): boolean {
  const before = items[at - 1] ?? '';
  return LETTER.test(before) || innerOf(before) !== undefined;
}

function endingBehind(items: readonly string[], star: number): string | undefined {
  return AFTER_STAR.exec(items.slice(star + 1, star + 1 + AFTER_STAR_LENGTH).join(''))?.[1];
}

function addBracket(pieces: string[][], inner: string, items: readonly string[], at: number, language: string): void {
  const [item = '', next = '', afterNext = ''] = items.slice(at, at + 3);
  const isBehind = isBehindLetter(items, at);
  const isBefore = LETTER.test(next);
  const isShort = UP_TO_FIVE_LETTERS.test(inner);
  // In `niño(a)s` the plural's s belongs to both forms.
  const isBeforeLastS = /^s$/i.test(next) && !LETTER.test(afterNext);
  const isEnding = !isBefore || (isBeforeLastS && isVowelEnding(inner, language));
  if (isBehind && isShort && isEnding) addEndings(pieces, [inner], language);
  else if ((isBehind || isShort) && isBefore && LETTERS.test(inner)) pieces.push(['', inner]);
  else addText(pieces, item);
}

function addText(pieces: string[][], text: string): void {
  const last = pieces.at(-1);
  if (last?.length === 1) last[0] += text;
  else pieces.push([text]);
}

/** Lets the word so far count without endings and with each. */
function addEndings(pieces: string[][], endings: readonly string[], language: string): void {
  const last = pieces.at(-1);
  const word = last?.length === 1 ? (pieces.pop()?.[0] as string) : '';
  pieces.push([word, ...endings.map((ending) => withEnding(word, ending, language))]);
}

function withEnding(word: string, ending: string, language: string): string {
  if (!isVowelEnding(ending, language)) return word + ending;
  return word.replace(/s$/i.test(ending) ? LAST_VOWEL_AND_S : LAST_VOWEL, '') + ending;
}

/** @returns the texts that the pieces make, those of the first piece varying slowest, and `VARIANTS_MAX` at most */
function combinations(pieces: readonly (readonly string[])[]): string[] {
  let ends = [''];
  for (const options of [...pieces].reverse()) {
    // The first option alone makes as many distinct texts as there are distinct ends.
    const used = ends.length < VARIANTS_MAX ? options : options.slice(0, 1);
    const texts = used.flatMap((option) => ends.map((end) => option + end));
    ends = used.length > 1 ? [...new Set(texts)].slice(0, VARIANTS_MAX) : texts;
  }
  return ends;
}

function split(items: readonly string[], isBetween: (items: readonly string[], at: number) => boolean): string[][] {
  const parts: string[][] = [[]];
  for (const [at, item] of items.entries())
    if (isBetween(items, at)) parts.push([]);
    else parts.at(-1)?.push(item);
  return parts;
}
