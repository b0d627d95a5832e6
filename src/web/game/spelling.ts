// Marks how a typed answer differs from the accepted translation that is most like it. Pure.
import { withoutBrackets } from '../../judging/brackets.ts';
import { alternativesOf, formOf } from '../../judging/forms.ts';
import type { JudgedAnswer } from '../../match/schema.ts';
import { graphemesOf } from '../../text.ts';
import type { Question } from '../../vocabulary/schema.ts';
import { type GivenAnswer, rightText, type Solution } from './answers.ts';

/** A part of a text, which the other text has as well or not. */
export interface Piece {
  text: string;
  isDifferent: boolean;
}

/** The longest text that is compared, code points: that of a list's word. */
const MAX_LENGTH = 120;

/** Characters that are not compared, so that their absence is no difference. [contract 20] */
const PUNCTUATION = /^[¿¡.!?…。؟۔।"„“”«»,;:，；：،、؛]$/u;

/** @returns the whole text of pieces */
export function plainText(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}

/**
 * @param language the language of the texts, whose articles are not compared
 * @returns both texts in pieces: the answer, and the translation, or the part of it, that is most like it
 */
export function spellingOf(answer: string, accepted: readonly string[], language = ''): [Piece[], Piece[]] {
  const given = graphemesOf(answer, MAX_LENGTH);
  const known = [...new Set(accepted.flatMap((text) => partsOf(text, language)))].map((part) => {
    const letters = graphemesOf(part, MAX_LENGTH);
    const shared = sharedLetters(given, letters);
    return { letters, shared, distance: letters.length + given.length - 2 * shared.length };
  });
  const [closest] = known.sort((one, other) => one.distance - other.distance);
  if (!closest) return [[{ text: answer, isDifferent: false }], []];
  const { letters, shared } = closest;
  return [
    piecesOf(given, new Set(shared.map(([at]) => at)), language),
    piecesOf(letters, new Set(shared.map(([, at]) => at)), language),
  ];
}

/** @returns the right answer for an announcement: of a close one, the translation that the user has meant */
export function meantText(
  question: Pick<Question, 'options'>,
  judged: Solution & Pick<JudgedAnswer, 'verdict'>,
  given: GivenAnswer | null | undefined,
): string {
  if (judged.verdict !== 'close' || !given || !('text' in given)) return rightText(question, judged);
  return plainText(spellingOf(given.text, judged.accepted ?? [])[1]);
}

/** @returns how many letters stand before those that are compared, such as an article */
function uncomparedBefore(letters: readonly string[], language: string): number {
  const text = letters.join('');
  const at = text.toLowerCase().lastIndexOf(formOf(text, language));
  return at > 0 ? graphemesOf(text.slice(0, at), MAX_LENGTH).length : 0;
}

/** @returns a translation and its alternatives, without what is in brackets */
function partsOf(translation: string, language: string): string[] {
  return alternativesOf(translation, language).map((text) => withoutBrackets(text).replace(/\s+/g, ' ').trim());
}

/** @returns the places in both texts of the letters of a longest common subsequence, whatever their case */
function sharedLetters(one: readonly string[], other: readonly string[]): [number, number][] {
  const a = one.map((letter) => letter.toLowerCase());
  const b = other.map((letter) => letter.toLowerCase());
  // The element at `i * width + j` is the length of the longest one of what follows the places i and j.
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const lengthAt = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
  const shared: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) shared.push([i++, j++]);
    else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i++;
    else j++;
  }
  return shared;
}

function piecesOf(letters: readonly string[], shared: ReadonlySet<number>, language: string): Piece[] {
  const start = uncomparedBefore(letters, language);
  const pieces: Piece[] = [];
  for (const [at, text] of letters.entries()) {
    const isDifferent = at >= start && !shared.has(at) && !PUNCTUATION.test(text);
    const last = pieces.at(-1);
    if (last?.isDifferent === isDifferent) last.text += text;
    else pieces.push({ text, isDifferent });
  }
  return pieces;
}
