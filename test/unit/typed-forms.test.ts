// Which differences between a typed answer and a translation don't count, by language. [contract 20]
import { describe, expect, it } from 'vitest';
import { formOf, formsOf } from '../../src/judging/forms.ts';

/** By language: pairs that have the same form. */
const EQUAL: Record<string, [translation: string, answer: string][]> = {
  en: [
    ['house', 'a house'],
    ['apple', 'an apple'],
    ['the sun', 'sun'],
    ['to go', 'go'],
    ['go', 'To go!'],
    ['to be (somewhere)', 'be'],
    ['don’t', "don't"],
    ['well‑known', 'well-known'],
    ['“quoted”', '"quoted"'],
  ],
  de: [
    ['das Haus', 'haus'],
    ['Straße', 'die STRASSE'],
    ['der Hund', 'den Hund'],
    ['Kind', 'eines Kind'],
    ['Frau', 'einer Frau'],
    ['Mann', 'dem mann'],
    ['Tage', 'des Tage'],
    ['ein Buch', 'einem Buch'],
    ['eine Katze', 'einen Katze'],
  ],
  fr: [
    ['l’ami', 'ami'],
    ["l'ami", 'l’ ami'],
    ['la maison', 'une maison'],
    ['le chat', 'un chat'],
    ['les gens', 'des gens'],
    ['du pain', 'pain'],
    ['œuvre', 'Œuvre'],
    ['un peu (de)', 'peu'],
  ],
  it: [
    ['il libro', 'libro'],
    ['lo zio', 'gli zio'],
    ['la casa', 'le casa'],
    ["l'amica", 'un’amica'],
    ['i cani', 'cani'],
    ['uno studente', 'un studente'],
    ['una città', 'CITTA\u0300'],
  ],
  es: [
    ['el perro', 'un perro'],
    ['la mesa', 'las mesa'],
    ['los libros', 'unos libros'],
    ['unas casas', 'una casas'],
    ['lo bueno', 'bueno'],
    ['¿Qué tal?', 'que\u0301 tal'],
    ['¡Hola!', 'hola...'],
  ],
  el: [['ΣΟΦΟΣ', 'σοφός'.normalize('NFD').replace('\u0301', '')]],
  ja: [['（ねこ）犬', '犬']],
};

/** By language: pairs that have different forms. */
const DIFFERENT: Record<string, [translation: string, answer: string][]> = {
  en: [
    ['the the house', 'house'],
    ['here', 'the'],
    ['house', 'das house'],
    ['a) one', 'one'],
  ],
  de: [['Haus', 'the Haus']],
  fr: [['la', 'le']],
  it: [
    ['lavoro', 'voro'],
    ['illegale', 'legale'],
  ],
  es: [['losa', 'a']],
  nl: [['het huis', 'huis']],
  tr: [['ılık', 'ilik']],
};

describe.each(Object.entries(EQUAL))('in %s', (language, pairs) => {
  it.each(pairs)('“%s” may be answered by “%s”', (translation, answer) => {
    expect(formsOf(translation, language)).toEqual([formOf(answer, language)]);
  });
});

describe.each(Object.entries(DIFFERENT))('in %s', (language, pairs) => {
  it.each(pairs)('“%s” is another text than “%s”', (translation, answer) => {
    expect(formsOf(translation, language)).not.toContain(formOf(answer, language));
  });
});

describe('what does not count in any language', () => {
  it.each([
    [' two\t\n words ', 'two words'],
    ['ｆｕｌｌ', 'full'],
    ['ﬁne', 'fine'],
    ['one (very (much)) two', 'one two'],
    ['Really?! …', 'really'],
    ['a–b—c−d', 'a-b-c-d'],
    ['‚x‘', "'x'"],
  ])('%j is compared as %j', (text, form) => expect(formOf(text, 'xx')).toBe(form));

  it('a bracket without its counterpart counts', () => {
    expect(formOf('one (two', 'xx')).toBe('one (two');
    expect(formOf('one) two', 'xx')).toBe('one) two');
    expect(formOf('((one)', 'xx')).toBe('(');
  });

  it.each(['', ' ', '(only this)', '?!', '¿ ¡'])('of %j nothing is left', (text) => {
    expect(formOf(text, 'en')).toBe('');
    expect(formsOf(text, 'en')).toEqual([]);
  });
});

describe('a text with several translations', () => {
  it.each([
    ['la macchina / l’auto', ['la macchina / l’auto', 'macchina', 'una auto']],
    ['casa; la dimora', ['casa; la dimora', 'casa', 'dimora']],
    ['presto, subito (ora, qui)', ['presto, subito', 'presto', 'subito']],
  ])('“%s” accepts each and the whole', (translation, answers) => {
    const forms = formsOf(translation, 'it');
    expect(forms.toSorted()).toEqual(answers.map((answer) => formOf(answer, 'it')).toSorted());
  });

  it.each(['and/or', 'a ;b', '1,5'])('“%s” is one', (text) => {
    expect(formsOf(text, 'xx')).toHaveLength(1);
  });
});
