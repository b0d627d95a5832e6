// How a typed answer is judged: right, close or wrong. [contract 20]
import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../src/judging/verdict.ts';

const judge = (answer: string, accepted: string[], language = 'it') =>
  verdictOf(answer, { language, accepted });

describe('an answer is right', () => {
  it('where it equals any accepted translation', () => {
    expect(judge('auto', ['macchina', 'l’auto'])).toBe('right');
    expect(judge('la macchina', ['macchina', 'l’auto'])).toBe('right');
  });
});

describe('an answer is close', () => {
  it.each([
    ['it', 'citta', 'città'],
    ['it', 'pero', 'però'],
    ['fr', 'eleve', 'élève'],
    ['es', 'ano', 'año'],
    ['de', 'schon', 'schön'],
    ['el', 'λογος', 'λόγος'],
    ['ru', 'елка', 'ёлка'],
  ])('in %s where %s has other diacritics than %s', (language, answer, translation) => {
    expect(judge(answer, [translation], language)).toBe('close');
    expect(judge(translation, [answer], language)).toBe('close');
  });

  it.each([
    ['insertion', 'librro'],
    ['insertion at the end', 'libroo'],
    ['deletion', 'libo'],
    ['deletion at the beginning', 'ibro'],
    ['substitution', 'litro'],
    ['swap of neighbours', 'lirbo'],
    ['wrong diacritic', 'libró'],
  ])('where it is one %s away from a translation with five letters', (_edit, answer) => {
    expect(judge(answer, ['libro'])).toBe('close');
    expect(judge(`il ${answer}`, ['libro'])).toBe('close');
  });
});

describe('an answer is wrong', () => {
  it.each([
    ['two edits away', 'librrro', 'libro'],
    ['one edit and a diacritic away', 'cita', 'città'],
    ['one edit away from four letters', 'gato', 'gatt'],
    ['a swap of letters that are not neighbours', 'robli', 'libro'],
    ['a digraph for an umlaut', 'schoen', 'schön'],
    ['nothing that is compared', '(libro)', 'libro'],
    ['a part of the translation', 'buon', 'buon giorno'],
  ])('where it is %s', (_reason, answer, translation) => {
    expect(judge(answer, [translation])).toBe('wrong');
  });

  it('where a mark of another script is missing', () => {
    expect(judge('हिंदी', ['हिदी'], 'hi')).toBe('wrong');
    expect(judge('かき', ['かぎ'], 'ja')).toBe('wrong');
  });

  it('where a translation has nothing that is compared', () => {
    expect(judge('()', ['()'])).toBe('wrong');
  });
});

it('counts code points, so that a letter outside the basic plane is one', () => {
  expect(judge('𐐨𐐩𐐪𐐫𐐬', ['𐐨𐐩𐐪𐐫'], 'en')).toBe('wrong');
  expect(judge('𐐨𐐩𐐪𐐫', ['𐐨𐐩𐐪𐐫𐐬'], 'en')).toBe('close');
});

it('takes little time for the longest answer and many translations [contract 17]', () => {
  const accepted = Array.from({ length: 700 }, (_, at) => `t${at}`);
  const startMs = process.cpuUsage().user;
  for (let turn = 0; turn < 10; turn++)
    for (const part of ['\uFDFA', 'a'.concat('\u0323\u0301'.repeat(15)), '(', '.', ' x'])
      judge(part.repeat(120).slice(0, 120), accepted);
  expect((process.cpuUsage().user - startMs) / 1000).toBeLessThan(1000);
});
