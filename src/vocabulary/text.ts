// Texts that people give: what they mean as words is kept, what only disturbs is not. [contract 14]
import { z } from 'zod';

/**
 * A text in Unicode NFC without spaces around it, of 1 to `max` characters (code points), none of them
 * a control character.
 */
export function tidyText(max: number): z.ZodString {
  return (
    z
      .string()
      .overwrite((text) => text.normalize('NFC').trim())
      .check(({ value, issues }) => {
        const message = problemOf(value, max);
        if (message) issues.push({ code: 'custom', message, input: value });
      })
      // What the check holds, for the published description.
      .meta({ minLength: 1, maxLength: max })
  );
}

/** @returns what is wrong with a text of at most `max` characters, if anything */
function problemOf(text: string, max: number): string | undefined {
  if (text === '') return 'must not be empty';
  // Only a text that is long in UTF-16 is worth counting by characters.
  if (text.length > max && [...text].length > max) return `must be at most ${max} characters long`;
  if (/\p{Cs}/u.test(text)) return 'is not valid UTF-8';
  if (/\p{Cc}/u.test(text)) return 'must not hold control characters';
  return undefined;
}
