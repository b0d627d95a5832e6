// Which names users may have: everybody in a lobby gets to see them, and mails are addressed by them,
// so a name can neither hide, nor turn a line around, nor pass for a link. [contract 17]

const MAX_GRAPHEMES = 50;
const MAX_CODE_POINTS = 200;

/** What is wrong with a name that `parseUserName` refuses, for people. */
export const NAME_RULE = `The name must have 1 to ${MAX_GRAPHEMES} visible characters, without line breaks, invisible characters or links`;

/** As emoji are written: their joiners, selectors and tags are part of what one sees. */
const EMOJI = /\p{RGI_Emoji}/gv;
/** Takes the place of an emoji while a name is checked. */
const VISIBLE = 'x';

/** Shown as nothing: what Unicode says may be ignored, and the blanks and marks it doesn't name. */
const INVISIBLE = String.raw`[\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB\u{1D159}]`;
const UNUSABLE = String.raw`[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Noncharacter_Code_Point}\p{Zl}\p{Zp}]`;
const JOINERS = String.raw`[\u200C\u200D]`;
const UNSEEN = String.raw`[${INVISIBLE}${UNUSABLE}\p{Z}]`;

const FORBIDDEN = new RegExp(`[[${INVISIBLE}${UNUSABLE}]--${JOINERS}]`, 'v');
const SEEN = new RegExp(String.raw`[^\p{M}${UNSEEN}]`, 'v');
/** A joiner at an end, or beside a space or another joiner. */
const LOOSE_JOINER = new RegExp(`(?:^|${UNSEEN})${JOINERS}|${JOINERS}(?:${UNSEEN}|$)`, 'v');
const LINK = /:\/\/|www\./i;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** @returns the name as it is stored, or null when nobody may have it */
export function parseUserName(text: string): string | null {
  const name = text.normalize('NFC').trim();
  // Before it is segmented: what is long costs.
  if (name.length > 2 * MAX_CODE_POINTS || [...name].length > MAX_CODE_POINTS) return null;
  if ([...graphemes.segment(name)].length > MAX_GRAPHEMES) return null;
  const shown = name.replace(EMOJI, VISIBLE);
  const isShowable = SEEN.test(shown) && !FORBIDDEN.test(shown) && !LOOSE_JOINER.test(shown);
  return isShowable && !LINK.test(name) ? name : null;
}

/** Keeps, as its group, emoji and the joiners between letters. */
const UNWANTED = new RegExp(
  String.raw`(\p{RGI_Emoji}|(?<=[\p{L}\p{M}])${JOINERS}(?=\p{L}))|${INVISIBLE}|${UNUSABLE}|${LINK.source}`,
  'giv',
);

/**
 * @param text what a provider calls a user
 * @returns it without what no name may have and not too long, or null when nothing to see remains
 */
export function cleanUserName(text: string): string | null {
  const tidy = text
    .slice(0, 2000)
    .normalize('NFC')
    .replace(/[\t\r\n\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(UNWANTED, '$1')
    .trim();
  let name = '';
  for (const { segment } of [...graphemes.segment(tidy)].slice(0, MAX_GRAPHEMES)) {
    if ([...name, ...segment].length > MAX_CODE_POINTS) break;
    name += segment;
  }
  return parseUserName(name);
}
