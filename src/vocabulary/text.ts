// Texts that people give, as requests hold them. [contract 14]
import { z } from 'zod';
import { problemOf, type TextProblem, tidy } from './text-rules.ts';

/**
 * A text in Unicode NFC without spaces around it, of 1 to `max` characters (code points), none of them
 * a control character.
 */
export function tidyText(max: number): z.ZodString {
  const messages: Record<TextProblem, string> = {
    empty: 'must not be empty',
    too_long: `must be at most ${max} characters long`,
    ill_formed: 'is not valid UTF-8',
    control_character: 'must not hold control characters',
  };
  return (
    z
      .string()
      .overwrite(tidy)
      .check(({ value, issues }) => {
        const problem = problemOf(value, max);
        if (problem) issues.push({ code: 'custom', message: messages[problem], input: value });
      })
      // What the check holds, for the published description.
      .meta({ minLength: 1, maxLength: max })
  );
}
