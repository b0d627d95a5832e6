// How typed answers are judged in each language, as a table for those who know the language. [contract 20]
import { describe, expect, it } from 'vitest';
import { type Verdict, verdictOf } from '../../src/judging/verdict.ts';

type Case = [translations: string, answer: string, verdict: Verdict, why: string];

/** By language of the answers. Several accepted translations are separated by a bar. */
const CASES: Record<string, Case[]> = {
  en: [
    ['apple', 'an apple', 'right', 'an article'],
    ['the Netherlands', 'Netherlands', 'right', 'an article is left out'],
    ['to run', 'run', 'right', 'the infinitive without to'],
    ['run', 'to run', 'right', 'the infinitive with to'],
    ['a', 'a', 'right', 'an article is all there is'],
    ['(to) get up (early)', 'get up', 'right', 'brackets'],
    ['colour', 'color', 'close', 'American spelling, one letter less'],
    ['ice cream', 'icecream', 'close', 'a space is missing'],
    ['well-known', 'well known', 'close', 'a space for a hyphen'],
    ['naïve', 'naive', 'close', 'a diacritic'],
    ['receive', 'recieve', 'close', 'a swap'],
    ['car', 'cat', 'wrong', 'one letter of three is another word'],
    ['house', 'houses’', 'wrong', 'two characters more'],
    ['fast, quick; rapid / swift', 'swift', 'right', 'one of several translations'],
    ['fast, quick', 'fast, quick', 'right', 'several translations as a whole'],
    ['fast, quick', 'quick, fast', 'wrong', 'several translations in another order'],
    ['fast | quick', 'quick', 'right', 'the translation of another entry'],
    ['Really?', 'really', 'right', 'punctuation'],
    ['don’t', "don't", 'right', 'a typewriter apostrophe'],
  ],
  de: [
    ['das Haus', 'Haus', 'right', 'an article is left out'],
    ['das Haus', 'der Haus', 'right', 'another gender is not judged'],
    ['das Haus', 'HAUS', 'right', 'capitals'],
    ['die Straße', 'Strasse', 'right', 'ss for ß, as in Switzerland'],
    ['schön', 'schon', 'close', 'an umlaut is missing'],
    ['schön', 'schoen', 'wrong', 'oe is not ö'],
    ['Mädchen', 'Madchen', 'close', 'an umlaut is missing'],
    ['Mädchen', 'Maedchen', 'wrong', 'ae is not ä'],
    ['Mädchen', 'Mädchem', 'close', 'one letter'],
    ['Bär', 'Bar', 'close', 'an umlaut of a short word'],
    ['Hand', 'Hund', 'wrong', 'one letter of four is another word'],
    ['(sich) freuen', 'freuen', 'right', 'brackets'],
    ['Angst haben', 'angst  haben', 'right', 'spaces'],
    ['der Arzt / die Ärztin', 'Ärztin', 'right', 'one of two forms'],
    ['Apfel', 'the Apfel', 'wrong', 'an English article'],
  ],
  fr: [
    ['l’école', 'école', 'right', 'an elided article is left out'],
    ['l’école', "l'ecole", 'close', 'an accent is missing'],
    ['école', 'une école', 'right', 'an article'],
    ['de l’eau', 'eau', 'wrong', 'de is no article'],
    ['des gens', 'les gens', 'right', 'another article'],
    ['du pain', 'le pain', 'right', 'another article'],
    ['un œuf', 'oeuf', 'wrong', 'oe is not œ'],
    ['garçon', 'garcon', 'close', 'a cedilla'],
    ['où', 'ou', 'close', 'an accent of a short word'],
    ['aujourd’hui', 'aujourdhui', 'close', 'an apostrophe is missing'],
    ['À bientôt !', 'à bientôt', 'right', 'a space before punctuation'],
    ['le père', 'la mère', 'wrong', 'another word of four letters'],
  ],
  it: [
    ['l’amica', 'amica', 'right', 'an elided article is left out'],
    ['amica', 'un’amica', 'right', 'an elided article'],
    ['lo zaino', 'il zaino', 'right', 'another article'],
    ['gli amici', 'amici', 'right', 'an article in the plural'],
    ['città', 'citta', 'close', 'an accent is missing'],
    ['perché', 'perchè', 'close', 'another accent'],
    ['è', 'e', 'close', 'an accent of one letter'],
    ['libro', 'libbro', 'close', 'a double consonant'],
    ['anno', 'ano', 'wrong', 'a double consonant of a short word'],
    ['lavoro', 'voro', 'wrong', 'la is a part of the word'],
    ['della casa', 'casa', 'wrong', 'della is no article'],
  ],
  es: [
    ['el agua', 'la agua', 'right', 'another gender is not judged'],
    ['los libros', 'libros', 'right', 'an article in the plural'],
    ['el/la estudiante', 'estudiante', 'wrong', 'a slash without spaces is a part of the text'],
    ['¿Cómo estás?', 'cómo estás', 'right', 'punctuation'],
    ['¿Cómo estás?', 'como estas', 'close', 'accents are missing'],
    ['¡Hola!', 'Hola', 'right', 'punctuation'],
    ['el niño', 'nino', 'close', 'a tilde is missing'],
    ['la mañana', 'manyana', 'wrong', 'ny is not ñ'],
    ['pingüino', 'pinguino', 'close', 'a diaeresis'],
    ['el lápiz', 'lápis', 'close', 'one letter of five'],
    ['sí', 'si', 'close', 'an accent of a short word'],
  ],
  pt: [
    ['o coração', 'o coracao', 'close', 'a cedilla and a tilde'],
    ['o coração', 'coração', 'wrong', 'no articles are known, and two characters are missing'],
  ],
  nl: [
    ['het huis', 'huis', 'wrong', 'no articles are known'],
    ['één', 'een', 'close', 'accents'],
  ],
  pl: [
    ['żółw', 'zołw', 'close', 'diacritics of some letters'],
    ['łódka', 'lódka', 'close', 'ł is a letter of its own, and one letter of five'],
    ['łza', 'lza', 'wrong', 'ł is a letter of its own'],
  ],
  da: [['rød', 'rod', 'wrong', 'ø is a letter of its own']],
  sv: [['år', 'ar', 'close', 'a ring']],
  tr: [
    ['ılık', 'ilik', 'wrong', 'ı is not i'],
    ['İzmir', 'izmir', 'close', 'a dotted capital keeps its dot'],
  ],
  ru: [
    ['ёлка', 'елка', 'close', 'dots are missing'],
    ['хорошо', 'Хорошо', 'right', 'capitals'],
    ['хорошо', 'харашо', 'wrong', 'two letters'],
  ],
  el: [
    ['ο δρόμος', 'Ο ΔΡΌΜΟΣ', 'right', 'capitals, and a sigma at the end'],
    ['δρόμος', 'δρομος', 'close', 'an accent is missing'],
  ],
  ar: [['كتاب', 'كِتَاب', 'wrong', 'vowel marks count']],
  he: [['שלום', 'שלום!', 'right', 'punctuation']],
  hi: [['हिंदी', 'हिदी', 'wrong', 'a vowel mark counts']],
  ja: [
    ['学校', '学校（がっこう）', 'right', 'a reading in wide brackets'],
    ['かぎ', 'かき', 'wrong', 'a voicing mark counts'],
    ['ﾊﾟﾝ', 'パン', 'right', 'halfwidth letters'],
  ],
  zh: [['你好', '你好。', 'wrong', 'a full stop of another script counts']],
  ko: [['한국', '한국'.normalize('NFD'), 'right', 'syllables that are typed letter by letter']],
};

describe.each(Object.entries(CASES))('in %s', (language, cases) => {
  it.each(cases)('“%s” answered by “%s” is %s: %s', (translations, answer, verdict) => {
    const accepted = translations.split(' | ');
    expect(verdictOf(answer, { language, accepted })).toBe(verdict);
  });
});
