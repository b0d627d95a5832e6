// Which texts that people give can be stored, and how: what they mean as words is kept, what only
// disturbs is not. Pure. [contract 14]

/** What is wrong with a text. */
export type TextProblem = 'empty' | 'too_long' | 'ill_formed' | 'control_character';

/** @returns a text in Unicode NFC without spaces around it */
export function tidy(text: string): string {
  return text.normalize('NFC').trim();
}

/**
 * @param text a tidy one
 * @param max its most characters: code points
 */
export function problemOf(text: string, max: number): TextProblem | null {
  if (text === '') return 'empty';
  // Only a text that is long in UTF-16 is worth counting by characters.
  if (text.length > max && [...text].length > max) return 'too_long';
  if (/\p{Cs}/u.test(text)) return 'ill_formed';
  if (/\p{Cc}/u.test(text)) return 'control_character';
  return null;
}
