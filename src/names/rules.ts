// Names that are unique in a lobby: how they are compared and numbered. Pure. [contract 17, 22]
import { foldCompatible, graphemesOf } from '../text.ts';

/** The longest name, in grapheme clusters, and in code points. [contract 17] */
export const NAME_GRAPHEMES_MAX = 50;
export const NAME_LENGTH_MAX = 200;

export function nameKey(name: string): string {
  return foldCompatible(name).trim();
}

/** @returns the name with a number behind it, cut so that both together are no longer than a name may be */
export function numberedName(name: string, number: number): string {
  const suffix = ` ${number}`;
  const graphemes = graphemesOf(name, NAME_LENGTH_MAX).slice(0, NAME_GRAPHEMES_MAX - suffix.length);
  while ([...graphemes.join(''), ...suffix].length > NAME_LENGTH_MAX) graphemes.pop();
  return `${graphemes.join('').trimEnd()}${suffix}`;
}
