// Checks names and pictures of users. Everybody in a lobby sees a name, and mails begin with it, so it must be visible,
// must not change the direction of a line, and must not look like a link. A picture is an address, never the picture
// itself, since it is read with every session. [contract 17]
import { NAME_GRAPHEMES_MAX, NAME_LENGTH_MAX } from '../../names/rules.ts';
import { cutToSize, graphemesOf, problemOf, tidy } from '../../text.ts';

/** The message for a name that `parseUserName` refuses. */
export const NAME_RULE = `The name must have 1 to ${NAME_GRAPHEMES_MAX} visible characters, without line breaks, invisible characters or links`;

/** Matches a whole emoji with its joiners, selectors and tags, which are allowed only there. */
const EMOJI = /\p{RGI_Emoji}/gv;
/** Matches invisible characters: Unicode's default ignorable ones, and blanks and marks that it does not list. */
const INVISIBLE = String.raw`[\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB\u{1D159}]`;
const UNUSABLE = String.raw`[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Noncharacter_Code_Point}\p{Zl}\p{Zp}]`;
const JOINERS = String.raw`[\u200C\u200D]`;
const UNSEEN = String.raw`[${INVISIBLE}${UNUSABLE}\p{Z}]`;

const FORBIDDEN = new RegExp(`[[${INVISIBLE}${UNUSABLE}]--${JOINERS}]`, 'v');
const SEEN = new RegExp(String.raw`[^\p{M}${UNSEEN}]`, 'v');
/** Matches a joiner at either end, or beside a space or another joiner. */
const LOOSE_JOINER = new RegExp(`(?:^|${UNSEEN})${JOINERS}|${JOINERS}(?:${UNSEEN}|$)`, 'v');
const LINK = /:\/\/|www\./i;

/** @returns the name as it is stored, or null if it is not allowed */
export function parseUserName(text: string): string | null {
  const name = tidy(text, NAME_LENGTH_MAX);
  if (problemOf(name, NAME_LENGTH_MAX)) return null;
  if (graphemesOf(name, NAME_LENGTH_MAX).length > NAME_GRAPHEMES_MAX) return null;
  const shown = name.replace(EMOJI, 'x');
  const isShowable = SEEN.test(shown) && !FORBIDDEN.test(shown) && !LOOSE_JOINER.test(shown);
  return isShowable && !LINK.test(name) ? name : null;
}

/** Matches invisible characters; its group keeps emoji and joiners between letters. */
const UNWANTED = new RegExp(
  String.raw`(\p{RGI_Emoji}|(?<=[\p{L}\p{M}])${JOINERS}(?=\p{L}))|${INVISIBLE}|${UNUSABLE}|${LINK.source}`,
  'giv',
);

/** @returns a provider's name without forbidden characters, cut to the limit; null if nothing visible remains */
export function cleanUserName(text: string): string | null {
  const wanted = tidy(cutToSize(text, NAME_LENGTH_MAX), NAME_LENGTH_MAX)
    .replace(/[\t\r\n\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(UNWANTED, '$1')
    .trim();
  let name = '';
  for (const grapheme of graphemesOf(wanted, NAME_LENGTH_MAX).slice(0, NAME_GRAPHEMES_MAX)) {
    if ([...name, ...grapheme].length > NAME_LENGTH_MAX) break;
    name += grapheme;
  }
  return parseUserName(name);
}

export const MAX_IMAGE_LENGTH = 500;
export const IMAGE_RULE = `The image must be an https address without credentials, of at most ${MAX_IMAGE_LENGTH} characters, or null`;

/** @returns whether `image` may be stored as a user's picture; null means none */
export function isUserImage(image: unknown): image is string | null {
  if (image === null) return true;
  if (typeof image !== 'string' || image.length > MAX_IMAGE_LENGTH) return false;
  // URL parsers repair spaces, line breaks and backslashes in different ways, so that these are refused.
  if (!/^https:\/\/[^\s\\\p{Cc}/?#]/iu.test(image) || /[\s\\\p{Cc}\p{Cs}]/u.test(image)) return false;
  const url = URL.parse(image);
  return url !== null && url.username === '' && url.password === '' && !/^https:\/\/[^/?#]*@/i.test(image);
}

/** The name of a deleted user in stored results. */
export const DELETED_NAME = 'Deleted player';
