// The normalisation by which texts are compared.
import { describe, expect, test } from 'vitest';
import { normalise } from '../../src/vocabulary/rules.ts';

describe('texts are compared after Unicode NFC, case folding and trimming', () => {
  test.each([
    ['città', 'citta\u0300'],
    ['casa', ' CASA\t'],
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'strasse'],
    ['œuvre', 'Œuvre'],
    ['ΣΟΦΟΣ', 'σοφος'],
  ])('%s equals %s', (one, other) => {
    expect(normalise(one)).toBe(normalise(other));
  });

  test.each([
    ['pero', 'però'],
    ['ano', 'año'],
    ['schon', 'schön'],
    ['casa', 'caso'],
  ])('%s is not %s', (one, other) => {
    expect(normalise(one)).not.toBe(normalise(other));
  });

  test('the upper, lower and decomposed forms of every character are equal to it', () => {
    const different: string[] = [];
    // No character of the planes behind has a case or is composed.
    for (let code = 0; code < 0x30000; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const text = `x${String.fromCodePoint(code)}x`;
      const key = normalise(text);
      const forms = new Set([text.toUpperCase(), text.toLowerCase(), text.normalize('NFD'), key]);
      forms.delete(text);
      if ([...forms].some((form) => normalise(form) !== key)) different.push(code.toString(16));
    }
    expect(different).toEqual([]);
  });
});
