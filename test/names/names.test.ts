import { describe, expect, it } from 'vitest';
import { parseUserName } from '../../src/auth/input/user-profile.ts';
import { friendlyName, NAME_WORDS } from '../../src/names/friendly-name.ts';
import { PAGE_LANGUAGES, type PageLanguage } from '../../src/names/languages.ts';
import { nameKey, numberedName } from '../../src/names/rules.ts';
import { foldAccents } from '../../src/text.ts';

/** @returns the words of a text */
const wordsOf = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Parts of words, in lower case without accents. No name may contain one, not even across its two words. */
const RUDE_PARTS = wordsOf(`
  anal anus arsch arse bastard bitch boob bosom bugger cazz chatte chienne cock coglion cojon connard coon couill
  crap culo cunt damn dick dyke fag fart fick figa folla fotz fuck gook hitler homo hure idiot jerk jizz kack kike
  knob marica maricon merd mierda minchia mongo moron muschi nazi neger negr nigg nutte paki pecker pedo penis
  phoque pimmel pipi piss polla poof poop popo porn puff puta putain puto puttan queer rape retard salope scheiss
  schwanz schwuchtel sex shag shit slut spast sperm spic stronz tits titte troia turd twat vagin vogel vulva wank
  whore wichs zoccol zorra`);

/** Whole words that are rude or hurtful by themselves: insults, parts of the body, colours of skin, slang. */
const RUDE_WORDS = wordsOf(`
  affe ane ape asino ass beaver bicho black blaireau blanc blanco boche bock bouc brown brun bull burro cabra cerdo
  cervo chameau chat chaud chien con conejo coq cougar cow crab cul dick donkey dumm easy esel fat fett fixer foca
  gai gallina gay geai geil ghey gimpel goat goose gordo gorilla gros grosso hahn hairy heiss hengst hog horny hot
  hund kuh lapin loose maiale mole monkey mono mula nackt naked negro nero noir nu nudo oca ochse pajaro passero
  pavo pesce pet pig pigeon pollo porc porco pussy puta rat ratte sau scharfer schwarz schwein simio singe skunk
  sloth slow snake stallion stiff straight swallow tit toad topo toro trans truie uccello vaca vacca vache weasel
  weiss wet whale white worm wurm yellow ziege zorro`);

/** Pairs of harmless words that mean something else together. */
const AMBIGUOUS_PAIRS: readonly string[] = `
  alter hase, armer hund, big bear, blue tit, brown bear, canard boiteux, chaud lapin, cold fish, corvo nero,
  dark horse, drôle oiseau, eager beaver, early bird, fauler hund, flotter käfer, frecher dachs, gatto morto,
  great tit, heißer hase, hot dog, komischer kauz, lame duck, lapin chaud, lobo feroz, lone wolf, loup blanc,
  lupo cattivo, merlo maschio, mirlo blanco, odd duck, orso bruno, oso gordo, ours mal, pato feo, pesce lesso,
  rara avis, red robin, scharfer hase, schräger vogel, silver fox, sly fox, stool pigeon, toller hecht,
  vieux renard, wilder hengst`
  .trim()
  .split(/,\s+/);

/** @returns all names of a language */
function namesIn(language: PageLanguage): string[] {
  const { adjectives, nouns } = NAME_WORDS[language];
  return adjectives.flatMap((_, first) =>
    nouns.map((_noun, second) => {
      const picks = [first, second];
      return friendlyName(language, () => picks.shift() as number);
    }),
  );
}

/** @returns the rude part or the ambiguous pair that is in a name, if there is one */
function rudenessOf(name: string): string | undefined {
  const folded = foldAccents(name);
  const words = folded.split(' ');
  return (
    RUDE_PARTS.find((part) => words.join('').includes(part)) ??
    words.find((word) => RUDE_WORDS.includes(word)) ??
    AMBIGUOUS_PAIRS.find((pair) => foldAccents(pair) === folded)
  );
}

describe.each(PAGE_LANGUAGES)('the friendly names in %s', (language) => {
  const names = namesIn(language);

  it('are at least 2000 different ones of two words, which the rules for names accept, also with a number', () => {
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(2000);
    for (const name of names) {
      expect(name).toMatch(/^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+$/u);
      expect(parseUserName(`${name} 1000`)).toBe(`${name} 1000`);
    }
  });

  it('are rude in no pair', () => {
    expect(names.filter(rudenessOf)).toEqual([]);
  });
});

it('the check detects rude words, rude texts across two words, and ambiguous pairs', () => {
  expect(rudenessOf('Schöner Arsch')).toBe('arsch');
  expect(rudenessOf('Calm Oran')).toBeUndefined();
  expect(rudenessOf('Bravo Ghey')).toBe('ghey');
  expect(rudenessOf('Divers Exit')).toBe('sex');
  expect(rudenessOf('Silver Fox')).toBe('silver fox');
});

it('a friendly name is in the first language of the browser that has words, otherwise in English', () => {
  const first = (header?: string) => friendlyName(header, () => 0);
  expect(first('de-AT,en;q=0.5')).toBe('Aktiver Adler');
  expect(first('pt-BR,fr-CH;q=0.8,en;q=0.7')).toBe('Aigle Adroit');
  expect(first('IT')).toBe('Airone Abile');
  for (const header of [undefined, '', 'fi', '*', ';;q=,']) expect(first(header)).toBe('Agile Albatross');
});

it('names that look the same have one key', () => {
  for (const name of ['Zoë', 'ZOË', 'Zoe\u0308', 'Ｚｏë']) expect(nameKey(name)).toBe(nameKey('zoë'));
  expect(nameKey('Straße')).toBe(nameKey('STRASSE'));
  expect(nameKey('Zoe')).not.toBe(nameKey('Zoë'));
});

it('a numbered name is cut between grapheme clusters, and is a name', () => {
  expect(numberedName('Mia', 2)).toBe('Mia 2');
  const family = '👨‍👩‍👧‍👦';
  for (const name of ['é'.repeat(50), family.repeat(28), `${'a'.repeat(47)} bc`, 'e\u0301\u0323\u0330'.repeat(50)]) {
    const parsed = parseUserName(name) as string;
    for (const number of [2, 12, 1000]) {
      const numbered = numberedName(parsed, number);
      expect(parseUserName(numbered)).toBe(numbered);
      expect(numbered.endsWith(` ${number}`)).toBe(true);
      expect(parsed.startsWith(numbered.slice(0, -` ${number}`.length))).toBe(true);
    }
  }
  expect(numberedName(`${'a'.repeat(47)} bc`, 2)).toBe(`${'a'.repeat(47)} 2`);
});
