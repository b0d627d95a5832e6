// The schema of the texts of words and lists. [contract 14]
import { z } from 'zod';
import { problemOf, type TextProblem, tidy } from '../text.ts';

/**
 * @param max the maximum length in code points
 * @returns the schema of a text, which it normalises to NFC and trims; an empty text and control characters
 *   are refused
 */
export function tidyText(max: number): z.ZodString {
  const messages: Record<TextProblem, string> = {
    empty: 'must not be empty',
    too_long: `must be at most ${max} characters long`,
    too_many_marks: 'must not have more than 30 combining marks in a row',
    ill_formed: 'is not valid UTF-8',
    control_character: 'must not contain control characters',
  };
  return (
    z
      .string()
      .overwrite((text) => tidy(text, max))
      .check(({ value, issues }) => {
        const problem = problemOf(value, max);
        if (problem) issues.push({ code: 'custom', message: messages[problem], input: value });
      })
      // The published description can't express the check, but has the lengths.
      .meta({ minLength: 1, maxLength: max })
  );
}
