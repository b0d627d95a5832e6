// Tells files apart by their first bytes, and decodes text. Pure.

/**
 * Encodings that can't be told from each other by a text's bytes, with the languages that are written in them. Others
 * are written in the first one.
 */
const LANGUAGES = {
  'Windows-1252': '',
  'Windows-1250': 'pl cs sk hu hr sl ro sq bs',
  'Windows-1251': 'ru uk be bg sr mk kk ky tg mn',
  'Windows-1253': 'el',
  'Windows-1254': 'tr az',
  Shift_JIS: 'ja',
  Macintosh: '',
} as const;

export type Encoding = keyof typeof LANGUAGES;

export const ENCODINGS = Object.keys(LANGUAGES) as Encoding[];

/** @returns the text of bytes in UTF-8 or UTF-16; null for bytes in another encoding. The last character may be cut */
export function unicodeOf(bytes: Uint8Array<ArrayBuffer>): string | null {
  const utf16 = utf16Of(bytes);
  if (utf16) return new TextDecoder(utf16).decode(bytes, { stream: true });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** Without a byte order mark, the zero bytes of spaces, tabs and line breaks show UTF-16: no other encoding has any. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const { even, odd } = zerosIn(bytes);
  if (even === odd) return null;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** The bytes by which the kind of a file is known. */
const FIRST_BYTES = 4096;

function zerosIn(bytes: Uint8Array): { even: number; odd: number } {
  const zeros = { even: 0, odd: 0 };
  for (const [at, byte] of bytes.subarray(0, FIRST_BYTES).entries()) if (byte === 0) zeros[at % 2 ? 'odd' : 'even']++;
  return zeros;
}

/** @returns the encoding of bytes that are no Unicode, guessed by the languages of the list */
export function guessEncoding(bytes: Uint8Array, languages: readonly string[]): Encoding {
  const own = languages.map((code) => ENCODINGS.find((name) => LANGUAGES[name].split(' ').includes(code)));
  const found = own.find((name) => name !== undefined);
  if (found) return found;
  const isMac = !bytes.includes(0x0a) && bytes.includes(0x0d);
  const letters = bytes.reduce((sum, byte) => sum + Number(byte >= 0xc0) - Number(MAC_LETTERS.has(byte)), 0);
  return isMac || (letters <= 0 && bytes.some((byte) => MAC_LETTERS.has(byte))) ? 'Macintosh' : 'Windows-1252';
}

/** Accented letters of Mac OS Roman, whose lines may end with a lone CR; in Windows-1252 hardly any text has them. */
const MAC_LETTERS = new Set(
  '81 83 86 87 88 89 8a 8b 8d 8e 8f 90 98 9a 9b 9d 9e 9f'.split(' ').map((hex) => Number(`0x${hex}`)),
);

export function decode(bytes: Uint8Array<ArrayBuffer>, encoding: Encoding): string {
  return new TextDecoder(encoding).decode(bytes);
}

/** Files that have no text to read; each has a text that says what to do instead. */
export type FileKind = 'text' | 'zip' | 'spreadsheet' | 'document' | 'picture' | 'unknown';

const SIGNATURES: readonly [FileKind, ...string[]][] = [
  ['zip', 'PK\x03\x04', 'PK\x05\x06'],
  // Excel until 2003, and a workbook with a password.
  ['spreadsheet', '\xD0\xCF\x11\xE0'],
  ['document', '%PDF', '{\\rtf'],
  ['picture', '\x89PNG', '\xFF\xD8\xFF', 'GIF8', 'RIFF', 'II*\0', 'MM\0*'],
];

export function kindOf(bytes: Uint8Array): FileKind {
  const first = String.fromCharCode(...bytes.subarray(0, 12));
  const known = SIGNATURES.find(([, ...signatures]) => signatures.some((one) => first.startsWith(one)));
  if (known) return known[0];
  // A picture of a phone, in HEIC or AVIF.
  if (first.slice(4, 8) === 'ftyp') return 'picture';
  const { even, odd } = zerosIn(bytes);
  const isUtf16 = /^(?:\xFF\xFE|\xFE\xFF)/.test(first) || Math.min(even, odd) * 10 <= Math.max(even, odd);
  return isUtf16 ? 'text' : 'unknown';
}
