// Lists the peculiarities of the languages in which answers are typed, as data that a linguist can check. A language
// that isn't here has none. Pure. [contract 20]

interface LanguageRules {
  /** Words of which one may be left out before an answer. No space need follow an apostrophe. */
  leading?: string;
  /** Letters that may be written with others. */
  writtenOut?: string;
  /** Endings that may stand behind a word and a stroke, beside a single letter and letters behind a hyphen. */
  endings?: string;
  /** Whether an ending that is a vowel, with or without s, takes the place of the word's last vowel. */
  hasVowelEndings?: boolean;
  /** The locale whose upper and lower case are used: in that of Turkish I is ı, and İ is i. */
  locale?: string;
  /** The mark that ends a question, where it is not one of the marks of all languages. */
  questionMark?: string;
}

const LANGUAGES: Readonly<Record<string, LanguageRules>> = {
  az: { locale: 'tr' },
  da: { leading: 'en, et, at', writtenOut: 'ø=oe å=aa' },
  de: {
    leading: 'der, die, das, den, dem, des, ein, eine, einen, einem, einer, eines',
    writtenOut: 'ä=ae ö=oe ü=ue',
    endings: 'in, innen',
  },
  el: { questionMark: ';' },
  en: { leading: 'a, an, the, to' },
  eo: { writtenOut: 'ĉ=cx ĝ=gx ĥ=hx ĵ=jx ŝ=sx ŭ=ux' },
  es: { leading: 'el, la, los, las, lo, un, una, unos, unas', hasVowelEndings: true },
  et: { writtenOut: 'ä=ae ö=oe' },
  fi: { writtenOut: 'ä=ae ö=oe' },
  fr: { leading: "le, la, les, l', un, une, des, du, de la, de l'" },
  it: { leading: "il, lo, la, l', i, gli, le, un, uno, una, un'", hasVowelEndings: true },
  nb: { leading: 'en, ei, et, å', writtenOut: 'ø=oe å=aa' },
  nl: { leading: 'de, het, een' },
  nn: { leading: 'ein, ei, eit, å', writtenOut: 'ø=oe å=aa' },
  no: { leading: 'en, ei, et, å', writtenOut: 'ø=oe å=aa' },
  pt: { leading: 'o, a, os, as, um, uma, uns, umas', hasVowelEndings: true },
  sv: { leading: 'en, ett, att', writtenOut: 'ä=ae ö=oe å=aa' },
  tr: { locale: 'tr' },
};

/** Letters that are alike in all languages, so that an answer with the one in place of the other is close. */
const ALIKE = 'ø=o ł=l đ=d ð=d ħ=h ı=i أ=ا إ=ا آ=ا ٱ=ا ؤ=و ئ=ي ى=ي ی=ي ة=ه ك=ک';

/** Letters that are written with two others in all languages. */
const DIGRAPHS = 'œ=oe æ=ae ĳ=ij';

const prepared = new Map(Object.entries(LANGUAGES).map(([code, rules]) => [code, prepare(rules)]));
const OTHER = prepare({});

/** @param code an ISO 639-1 code */
export const languageOf = (code: string) => prepared.get(code) ?? OTHER;

export const withoutDigraphs = replacing(DIGRAPHS);
export const withAlikeUnited = replacing(ALIKE);

function prepare({ leading, writtenOut, endings, ...others }: LanguageRules) {
  const leadingWords = leading?.split(', ') ?? [];
  const ends = leadingWords.map((word) => (word.endsWith("'") ? `${word} ?` : `${word} `));
  return {
    ...others,
    leadingWords: new Set(leadingWords),
    /** Matches one leading word where something follows it. */
    leading: ends.length > 0 ? new RegExp(`^(?:${ends.join('|')})(?=.)`, 'u') : null,
    writeOut: replacing(writtenOut),
    endings: new Set(endings?.split(', ')),
  };
}

/** @param pairs letters and what stands for each: `ä=ae ö=oe` */
function replacing(pairs: string | undefined): (text: string) => string {
  if (pairs === undefined) return (text) => text;
  const table = new Map(pairs.split(' ').map((pair) => pair.split('=') as [string, string]));
  const letters = new RegExp(`[${[...table.keys()].join('')}]`, 'gu');
  return (text) => text.replace(letters, (letter) => table.get(letter) as string);
}
