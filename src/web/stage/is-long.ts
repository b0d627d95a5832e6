// Decides how large a question is written: most words are short, but a user's list may have sentences. Pure.
import type { Question } from '../../vocabulary/schema.ts';

/** The longest texts that fit a projector in large letters, characters. */
const FITS = { prompt: 28, gloss: 80, option: 40 };

/** @returns whether the texts need smaller letters; a user's own list may have whole sentences */
export function isLong({ prompt, gloss = '', options = [] }: Question): boolean {
  return (
    prompt.length > FITS.prompt || gloss.length > FITS.gloss || options.some(({ text }) => text.length > FITS.option)
  );
}
