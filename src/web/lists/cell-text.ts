// Turns the cell of a spreadsheet or of a card into the text of a word. Pure.

/** Characters that nobody sees. */
const INVISIBLE = /[\u00AD\u180E\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g;
/** Joiners beside nothing that they join, unlike those of Arabic and Indic scripts and of emoji. */
const JOINERS = /(^|[\p{ASCII}\s])[\u200C\u200D]+|[\u200C\u200D]+(?=[\p{ASCII}\s]|$)/gu;
const LINES = /[\n\r\v\f\u0085\u2028\u2029]+/;

/** A line that begins with a bracket goes on with the line before. Others are further translations. [contract 20] */
const NEXT_TRANSLATION = /[;,]?\n(?![([{（［｛【〔])/g;

/** @returns the visible text of a cell in one line, in which `;` stands between what had a line each */
export function textOfCell(cell: string): string {
  const lines = cell.replace(INVISIBLE, '').replace(JOINERS, '$1').split(LINES);
  const tidied = lines.map((line) => line.replace(/[\t\p{Zs}]+/gu, ' ').trim()).filter((line) => line !== '');
  return tidied.join('\n').replace(NEXT_TRANSLATION, '; ').replaceAll('\n', ' ');
}

/** Kanji with their reading behind them, as Anki has furigana: a space separates them from what is before. */
const FURIGANA = / ?([\p{Script=Han}々〆ヶ][^\s[\]]*?)\[([\p{Script=Hiragana}\p{Script=Katakana}ー]+)\]/gu;

/** @returns the text without its furigana, and how it is read; the reading is empty if the text has no furigana */
export function withoutFurigana(text: string): { text: string; reading: string } {
  const base = text.replace(FURIGANA, '$1').trim();
  return { text: base, reading: base === text.trim() ? '' : text.replace(FURIGANA, '$2').trim() };
}

/** The longest cell that is parsed, UTF-16 units. A text of this length is too long for a word anyway. */
const MAX_LENGTH = 5000;

/** What begins or ends a line. */
const BREAKS = /<br\s*\/?>|<\/?(?:div|p|li|ul|ol|tr|h\d)\b[^>]*>/gi;
/** The names of Anki's media files. */
const MEDIA = /\[sound:[^\]]*\]/g;

/** @returns the HTML of a cell with line breaks and furigana as plain text has them; other tags and entities stay */
export function plainLinesOf(html: string): string {
  const lines = html.slice(0, MAX_LENGTH).replace(/\s+/g, ' ').replace(BREAKS, '\n').replace(MEDIA, '');
  return lines
    .replace(/<rp>[^<]*(?:<\/rp>)?/gi, '')
    .replace(/<rt\b[^>]*>([^<]*)(?:<\/rt>)?/gi, '[$1]')
    .replace(/<ruby\b[^>]*>/gi, ' ');
}
