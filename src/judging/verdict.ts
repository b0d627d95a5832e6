// Judges typed answers. Pure. [contract 20]
import { withoutDiacritics } from '../text.ts';
import { isOneEditApart } from './edits.ts';
import { formOf, formsOf } from './forms.ts';

/** How a typed answer is judged: `close` is right but for a slip. */
export const VERDICTS = ['right', 'close', 'wrong'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What the answers to a question are compared with. */
export interface AnswerKey {
  /** The ISO 639-1 code of the language of the answers. */
  language: string;
  /** The accepted translations as the deck or list has them. */
  accepted: readonly string[];
  /** The forms of other prompts' translations that are close to an accepted one. */
  others: readonly string[];
}

/** The number of letters from which on a translation may be missed by one edit. */
const MIN_LETTERS = 5;
const LETTER = /\p{L}/gu;

/** @returns whether a translation of this form may be missed by one edit */
export function hasEnoughLetters(form: string): boolean {
  return (form.match(LETTER)?.length ?? 0) >= MIN_LETTERS;
}

/**
 * @returns a function that tells whether the form of a translation differs from that of the answer by no more than a
 *   slip; the answer is prepared once, since a question may have many translations
 */
export function closeTo(answer: string): (translation: string) => boolean {
  const bare = withoutDiacritics(answer);
  return (translation) => {
    if (withoutDiacritics(translation) === bare) return true;
    return hasEnoughLetters(translation) && isOneEditApart(answer, translation);
  };
}

/**
 * @param answer an answer whose length is checked
 * @returns the verdict; an answer that is another prompt's translation is never `close`
 */
export function verdictOf(answer: string, { language, accepted, others }: AnswerKey): Verdict {
  const form = formOf(answer, language);
  if (form === '') return 'wrong';
  const forms = accepted.flatMap((translation) => formsOf(translation, language));
  if (forms.includes(form)) return 'right';
  if (others.includes(form)) return 'wrong';
  return forms.some(closeTo(form)) ? 'close' : 'wrong';
}
