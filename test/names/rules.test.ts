// Names are compared as people see them, and numbered within the length that names may have. [contract 17, 22]
import { expect, it } from 'vitest';
import { parseUserName } from '../../src/auth/input/user-profile.ts';
import { nameKey, numberedName } from '../../src/names/rules.ts';

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
