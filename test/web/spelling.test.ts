// How the page marks what differs between a typed answer and the translation that is most like it.
import { describe, expect, it } from 'vitest';
import { type Piece, spellingOf } from '../../src/web/game/spelling.ts';

/** @returns the text with its differences in square brackets */
const marked = (pieces: Piece[]) => pieces.map(({ text, isDifferent }) => (isDifferent ? `[${text}]` : text)).join('');

describe('the differences', () => {
  it.each([
    ['libbro', ['libro'], 'lib[b]ro', 'libro'],
    ['citta', ['città'], 'citt[a]', 'citt[à]'],
    ['lirbo', ['libro'], 'li[r]bo', 'lib[r]o'],
    ['Strase', ['die Straße'], 'Stra[s]e', '[die ]Stra[ß]e'],
    ['como estas', ['¿Cómo estás?'], 'c[o]mo est[a]s', '¿C[ó]mo est[á]s?'],
    ['dimorra', ['casa', 'abitazione; dimora'], 'dimor[r]a', 'dimora'],
    ['freun', ['(sich) freuen', 'Freude'], 'freun', 'freu[e]n'],
    ['', ['casa'], '', '[casa]'],
    ['citta', ['la città'], 'citt[a]', 'la citt[à]', 'it'],
    ['amigga', ['amigo/a'], 'amig[g]a', 'amiga', 'es'],
    ['un’amicca', ['l’amica'], 'un’amic[c]a', 'l’amica', 'it'],
  ] as [string, string[], string, string, string?][])('of “%s” and %j', (answer, accepted, given, right, language) => {
    expect(spellingOf(answer, accepted, language).map(marked)).toEqual([given, right]);
  });

  it('are found quickly for the longest texts', () => {
    const accepted = Array.from({ length: 33 }, (_, at) => `${'ab'.repeat(55)}, ${at}`);
    const startMs = process.threadCpuUsage().user;
    spellingOf('ba'.repeat(60), accepted);
    expect((process.threadCpuUsage().user - startMs) / 1000).toBeLessThan(500);
  });

  it('are none without a translation', () => {
    expect(spellingOf('casa', []).map(marked)).toEqual(['casa', '']);
  });
});
