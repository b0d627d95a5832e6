// How large a question can be written. Most words are short; a list of one's own may have sentences. Pure.
import type { Question } from '../../vocabulary/schema.ts';

/** What still fits a projector in the largest letters, in characters. */
const FITS = { prompt: 28, gloss: 80, option: 40 };

/** @returns whether its texts need smaller letters */
export function isLong({ prompt, gloss = '', options }: Question): boolean {
  return (
    prompt.length > FITS.prompt ||
    gloss.length > FITS.gloss ||
    options.some(({ text }) => text.length > FITS.option)
  );
}
