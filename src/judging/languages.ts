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
  /** Whether upper and lower case are those of Turkish: I is ı, and İ is i. */
  hasTurkishCase?: boolean;
  /** The mark that ends a question, where it is not one of the marks of all languages. */
  questionMark?: string;
}

const LANGUAGES: Readonly<Record<string, LanguageRules>> = {
  az: { hasTurkishCase: true },
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
  tr: { hasTurkishCase: true },
};

/** Letters that are alike in all languages, so that an answer with the one in place of the other is close. */
const ALIKE = 'ø=o ł=l đ=d ð=d ħ=h ı=i أ=ا إ=ا آ=ا ٱ=ا ؤ=و ئ=ي ى=ي ی=ي ة=ه ك=ک';

/** Letters that are written with two others in all languages. */
const DIGRAPHS = 'œ=oe æ=ae ĳ=ij';

/** The rules of a language, prepared once. */
interface Language {
  leadingWords: ReadonlySet<string>;
  /** Matches one leading word where something follows it. */
  leading: RegExp | null;
  writeOut(text: string): string;
  endings: ReadonlySet<string>;
  hasVowelEndings: boolean;
  hasTurkishCase: boolean;
  questionMark: string;
}

const prepared = new Map(Object.entries(LANGUAGES).map(([code, rules]) => [code, prepare(rules)]));
const OTHER = prepare({});

/** @param code an ISO 639-1 code */
export function languageOf(code: string): Language {
  return prepared.get(code) ?? OTHER;
}

/** @returns the text, folded, without the letters that stand for two others */
export const withoutDigraphs = replacing(DIGRAPHS);

/** @returns the text, folded, with the one of letters that are alike in place of the others */
export const withAlikeUnited = replacing(ALIKE);

function prepare(rules: LanguageRules): Language {
  const leadingWords = listed(rules.leading);
  const ends = leadingWords.map((word) => (word.endsWith("'") ? `${word} ?` : `${word} `));
  return {
    leadingWords: new Set(leadingWords),
    leading: ends.length > 0 ? new RegExp(`^(?:${ends.join('|')})(?=.)`, 'u') : null,
    writeOut: replacing(rules.writtenOut),
    endings: new Set(listed(rules.endings)),
    hasVowelEndings: rules.hasVowelEndings ?? false,
    hasTurkishCase: rules.hasTurkishCase ?? false,
    questionMark: rules.questionMark ?? '',
  };
}

function listed(words: string | undefined): string[] {
  return words?.split(', ') ?? [];
}

/** @param pairs letters and what stands for each: `ä=ae ö=oe` */
function replacing(pairs: string | undefined): (text: string) => string {
  if (pairs === undefined) return (text) => text;
  const table = new Map(pairs.split(' ').map((pair) => pair.split('=') as [string, string]));
  const letters = new RegExp(`[${[...table.keys()].join('')}]`, 'gu');
  return (text) => text.replace(letters, (letter) => table.get(letter) as string);
}
